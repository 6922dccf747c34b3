import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells all of base role 0 that an operator printed a ticket with which staff add their first factor. */
export const staffTicketIssued: MailKind<{ email: string; atMs: number; endsFactors: boolean }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ email, atMs, endsFactors }) => ({
      subject: 'A setup ticket for a staff member was created',
      paragraphs: [
        `A setup ticket for ${email} was created on the command line on ${englishTime(atMs)}. With this ticket, they can add a second factor once.`,
        ...(endsFactors ? ['Their earlier factors were removed, and their sessions have ended.'] : []),
      ],
      closing: ["If you weren't expecting this, contact the operators of the service immediately."],
    }),
    de: ({ email, atMs, endsFactors }) => ({
      subject: 'Ein Einrichtungsticket für ein Teammitglied wurde erstellt',
      paragraphs: [
        `Auf der Kommandozeile wurde am ${germanTime(atMs)} ein Einrichtungsticket für ${email} erstellt. Damit lässt sich einmal ein zweiter Faktor einrichten.`,
        ...(endsFactors ? ['Bisherige Faktoren wurden entfernt und alle Sitzungen beendet.'] : []),
      ],
      closing: ['Wenn du das nicht erwartet hast, wende dich sofort an den Betrieb des Dienstes.'],
    }),
  },
};
