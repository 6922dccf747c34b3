import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** The ticket of a recovery, in the body only: locked screens show subjects. */
export const recoveryTicket: MailKind<{ ticket: string; expiresAtMs: number }> = {
  countedAs: 'own',
  mostPerHour: 5,
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ ticket, expiresAtMs }) => ({
      subject: 'Your recovery code',
      paragraphs: [
        'Sign in as usual and enter this recovery code instead of the second step, or after signing in if none is required. Then add a new second factor.',
      ],
      code: ticket,
      closing: [
        `It works once and expires on ${englishTime(expiresAtMs)}. We will never ask you for this code.`,
        "If you didn't request it, cancel the recovery with the link in our other email.",
      ],
    }),
    de: ({ ticket, expiresAtMs }) => ({
      subject: 'Dein Wiederherstellungscode',
      paragraphs: [
        'Melde dich wie gewohnt an und gib diesen Wiederherstellungscode statt des zweiten Schritts ein, oder nach der Anmeldung, wenn keiner nötig ist. Füge dann einen neuen zweiten Faktor hinzu.',
      ],
      code: ticket,
      closing: [
        `Er gilt einmal, bis zum ${germanTime(expiresAtMs)}. Wir werden dich nie nach diesem Code fragen.`,
        'Wenn du ihn nicht angefordert hast, brich die Wiederherstellung mit dem Link in unserer anderen E-Mail ab.',
      ],
    }),
  },
};
