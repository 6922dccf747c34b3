import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** How far a recovery is. */
export type RecoveryStage = 'opened' | 'ticket' | 'canceled' | 'expired' | 'completed';

const EN: Readonly<Record<RecoveryStage, readonly [subject: string, sentence: string]>> = {
  opened: [
    'A recovery of your account was started',
    'Support was asked to replace your lost second factors. After a waiting period, you will receive a recovery code by email.',
  ],
  ticket: [
    'The waiting period of your recovery is over',
    'We sent a recovery code to your confirmed address. Anyone who has it and can sign in can add a new second factor within 24 hours.',
  ],
  canceled: ['Your recovery was canceled', 'The recovery of your account was canceled. Nothing has changed.'],
  expired: [
    'Your recovery has expired',
    'The recovery of your account was not used in time. Nothing has changed.',
  ],
  completed: [
    'Your recovery is complete',
    'A new second factor was added. The earlier ones were removed, and all other sessions have ended.',
  ],
};

const DE: Readonly<Record<RecoveryStage, readonly [subject: string, sentence: string]>> = {
  opened: [
    'Eine Wiederherstellung deines Kontos wurde gestartet',
    'Beim Support wurde beantragt, deine verlorenen zweiten Faktoren zu ersetzen. Nach einer Wartezeit erhältst du per E-Mail einen Wiederherstellungscode.',
  ],
  ticket: [
    'Die Wartezeit deiner Wiederherstellung ist vorbei',
    'Wir haben einen Wiederherstellungscode an deine bestätigte Adresse gesendet. Wer ihn hat und sich anmelden kann, kann innerhalb von 24 Stunden einen neuen zweiten Faktor hinzufügen.',
  ],
  canceled: [
    'Deine Wiederherstellung wurde abgebrochen',
    'Die Wiederherstellung deines Kontos wurde abgebrochen. Es hat sich nichts geändert.',
  ],
  expired: [
    'Deine Wiederherstellung ist abgelaufen',
    'Die Wiederherstellung deines Kontos wurde nicht rechtzeitig genutzt. Es hat sich nichts geändert.',
  ],
  completed: [
    'Deine Wiederherstellung ist abgeschlossen',
    'Ein neuer zweiter Faktor wurde hinzugefügt. Die früheren wurden entfernt, und alle anderen Sitzungen wurden beendet.',
  ],
};

const IS_OPEN: ReadonlySet<RecoveryStage> = new Set(['opened', 'ticket']);

/** Tells a member the progress of their recovery, and how to cancel it. */
export const recovery: MailKind<{
  stage: RecoveryStage;
  atMs: number;
  effectiveAtMs: number;
  /** Cancels it. */
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ stage, atMs, effectiveAtMs, link }) => ({
      subject: EN[stage][0],
      paragraphs: [
        EN[stage][1],
        `Time: ${englishTime(atMs)}.`,
        ...(stage === 'opened' ? [`The waiting period ends on ${englishTime(effectiveAtMs)}.`] : []),
      ],
      ...(IS_OPEN.has(stage) ? { action: { label: 'Cancel recovery', link } } : {}),
      closing: IS_OPEN.has(stage)
        ? [
            "If you didn't request this, cancel it and set a new password.",
            'Signing in with a second factor also cancels it.',
          ]
        : ["If you weren't expecting this, contact support."],
    }),
    de: ({ stage, atMs, effectiveAtMs, link }) => ({
      subject: DE[stage][0],
      paragraphs: [
        DE[stage][1],
        `Zeitpunkt: ${germanTime(atMs)}.`,
        ...(stage === 'opened' ? [`Die Wartezeit endet am ${germanTime(effectiveAtMs)}.`] : []),
      ],
      ...(IS_OPEN.has(stage) ? { action: { label: 'Wiederherstellung abbrechen', link } } : {}),
      closing: IS_OPEN.has(stage)
        ? [
            'Wenn du das nicht beantragt hast, brich ab und lege ein neues Passwort fest.',
            'Auch eine Anmeldung mit einem zweiten Faktor bricht sie ab.',
          ]
        : ['Wenn du das nicht erwartet hast, wende dich an den Support.'],
    }),
  },
};
