import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies the owners of an account that it is closed, and until when that can be undone. */
export const accountClosed: MailKind<{
  /** Omitted if it looks like a link. */
  accountName: string | undefined;
  atMs: number;
  erasesAtMs: number;
  link: string;
  /** Whether it is the second notice, shortly before the end. */
  isReminder?: boolean;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, atMs, erasesAtMs, link, isReminder = false }) => ({
      subject: isReminder
        ? `${accountName === undefined ? 'A closed organization' : `“${accountName}”`} is about to be erased`
        : `${accountName === undefined ? 'An organization' : `“${accountName}”`} was closed`,
      paragraphs: [
        `${accountName === undefined ? 'An organization you own' : `The organization “${accountName}”`} was closed on ${englishTime(atMs)}. Its members can no longer open it.`,
        `Its data is erased on ${englishTime(erasesAtMs)}. Until then, the owner can restore it.`,
      ],
      action: { label: 'View organizations', link },
      closing: [],
    }),
    de: ({ accountName, atMs, erasesAtMs, link, isReminder = false }) => ({
      subject: isReminder
        ? `${accountName === undefined ? 'Eine geschlossene Organisation' : `„${accountName}“`} wird bald gelöscht`
        : `${accountName === undefined ? 'Eine Organisation' : `„${accountName}“`} wurde geschlossen`,
      paragraphs: [
        `${accountName === undefined ? 'Eine Organisation, die dir gehört,' : `Die Organisation „${accountName}“`} wurde am ${germanTime(atMs)} geschlossen. Die Mitglieder können sie nicht mehr öffnen.`,
        `Die Daten werden am ${germanTime(erasesAtMs)} gelöscht. Bis dahin kann die Inhaber:in sie wiederherstellen.`,
      ],
      action: { label: 'Organisationen ansehen', link },
      closing: [],
    }),
  },
};
