import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells all of base role 0 that an operator printed a ticket with which staff add their first factor. */
export const staffTicketIssued: MailKind<{ email: string; atMs: number; endsFactors: boolean }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ email, atMs, endsFactors }) => ({
      subject: 'A ticket for a member of staff was printed',
      paragraphs: [
        `On the command line somebody printed a one-use ticket for ${email}, on ${englishTime(atMs)}. It lets them add a first factor.`,
        ...(endsFactors ? ['Their earlier factors and sessions have ended.'] : []),
      ],
      closing: ['If this surprises you, ask whoever operates the service at once.'],
    }),
    de: ({ email, atMs, endsFactors }) => ({
      subject: 'Ein Ticket für jemanden vom Personal wurde ausgedruckt',
      paragraphs: [
        `Auf der Kommandozeile wurde am ${germanTime(atMs)} ein einmaliges Ticket für ${email} ausgegeben. Damit lässt sich ein erster Faktor einrichten.`,
        ...(endsFactors ? ['Bisherige Faktoren und Sitzungen sind beendet.'] : []),
      ],
      closing: ['Wenn dich das überrascht, frage sofort nach, wer den Dienst betreibt.'],
    }),
  },
};
