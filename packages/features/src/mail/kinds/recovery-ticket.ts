import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** The ticket of a recovery, in the body only: locked screens show subjects. */
export const recoveryTicket: MailKind<{ ticket: string; expiresAtMs: number }> = {
  countedAs: 'own',
  mostPerHour: 5,
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ ticket, expiresAtMs }) => ({
      subject: 'Your recovery ticket',
      paragraphs: [
        'Sign in as usual, and enter this ticket in place of the second step, or after signing in if none is asked. Then add a new second step.',
      ],
      code: ticket,
      closing: [
        `It works once, until ${englishTime(expiresAtMs)}. Nobody of ours will ever ask you for it.`,
        'If you did not ask for it, cancel the recovery by the link of the other mail.',
      ],
    }),
    de: ({ ticket, expiresAtMs }) => ({
      subject: 'Deine Marke zur Wiederherstellung',
      paragraphs: [
        'Melde dich wie gewohnt an und gib diese Marke statt des zweiten Schritts ein, oder nach der Anmeldung, wenn keiner verlangt wird. Füge dann einen neuen zweiten Schritt hinzu.',
      ],
      code: ticket,
      closing: [
        `Sie gilt einmal, bis ${germanTime(expiresAtMs)}. Niemand von uns wird dich je danach fragen.`,
        'Wenn du sie nicht verlangt hast, brich die Wiederherstellung mit dem Link der anderen Mail ab.',
      ],
    }),
  },
};
