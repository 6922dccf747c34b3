import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** How far a recovery is. */
export type RecoveryStage = 'opened' | 'ticket' | 'canceled' | 'expired' | 'completed';

const EN: Readonly<Record<RecoveryStage, readonly [subject: string, sentence: string]>> = {
  opened: [
    'A recovery of your sign-in was opened',
    'Our staff were asked to let you add a new second step, because the others are lost. A ticket for that comes by mail after a wait.',
  ],
  ticket: [
    'The wait of your recovery is over',
    'A ticket was mailed to your confirmed address. Whoever has it and can sign in may add a new second step within 24 hours.',
  ],
  canceled: ['Your recovery was canceled', 'The recovery of your sign-in is canceled. Nothing changed.'],
  expired: ['Your recovery has ended', 'Nobody used the recovery of your sign-in in time. Nothing changed.'],
  completed: [
    'Your recovery is done',
    'A new second step was added by the recovery. The earlier ones and all other sessions have ended.',
  ],
};

const DE: Readonly<Record<RecoveryStage, readonly [subject: string, sentence: string]>> = {
  opened: [
    'Eine Wiederherstellung deiner Anmeldung wurde begonnen',
    'Unser Support wurde gebeten, dich einen neuen zweiten Schritt hinzufügen zu lassen, weil die anderen verloren sind. Eine Marke dafür kommt nach einer Wartezeit per E-Mail.',
  ],
  ticket: [
    'Die Wartezeit deiner Wiederherstellung ist vorbei',
    'Eine Marke ging an deine bestätigte Adresse. Wer sie hat und sich anmelden kann, darf binnen 24 Stunden einen neuen zweiten Schritt hinzufügen.',
  ],
  canceled: [
    'Deine Wiederherstellung wurde abgebrochen',
    'Die Wiederherstellung deiner Anmeldung ist abgebrochen. Es hat sich nichts geändert.',
  ],
  expired: [
    'Deine Wiederherstellung ist beendet',
    'Niemand hat die Wiederherstellung deiner Anmeldung rechtzeitig genutzt. Es hat sich nichts geändert.',
  ],
  completed: [
    'Deine Wiederherstellung ist abgeschlossen',
    'Ein neuer zweiter Schritt wurde durch die Wiederherstellung hinzugefügt. Die früheren und alle anderen Sitzungen sind beendet.',
  ],
};

const IS_OPEN: ReadonlySet<RecoveryStage> = new Set(['opened', 'ticket']);

/** Tells a member how the recovery of their sign-in goes on, and how to cancel it. */
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
        `This was on ${englishTime(atMs)}.`,
        ...(stage === 'opened' ? [`The wait ends on ${englishTime(effectiveAtMs)}.`] : []),
      ],
      ...(IS_OPEN.has(stage) ? { action: { label: 'Cancel it', link } } : {}),
      closing: IS_OPEN.has(stage)
        ? [
            'If it was not you, cancel it, and set a new password.',
            'A sign-in with a second step cancels it too.',
          ]
        : ['If you did not expect this, write to our support.'],
    }),
    de: ({ stage, atMs, effectiveAtMs, link }) => ({
      subject: DE[stage][0],
      paragraphs: [
        DE[stage][1],
        `Das war am ${germanTime(atMs)}.`,
        ...(stage === 'opened' ? [`Die Wartezeit endet am ${germanTime(effectiveAtMs)}.`] : []),
      ],
      ...(IS_OPEN.has(stage) ? { action: { label: 'Abbrechen', link } } : {}),
      closing: IS_OPEN.has(stage)
        ? [
            'Wenn du es nicht warst, brich ab und setze ein neues Passwort.',
            'Auch eine Anmeldung mit einem zweiten Schritt bricht sie ab.',
          ]
        : ['Wenn du das nicht erwartet hast, schreibe unserem Support.'],
    }),
  },
};
