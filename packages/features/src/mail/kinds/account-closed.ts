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
      subject: isReminder ? 'A closed account is about to be erased' : 'An account was closed',
      paragraphs: [
        `${accountName === undefined ? 'An account you own' : `The account “${accountName}”`} was closed on ${englishTime(atMs)}. Nobody can use it any more.`,
        `What it holds is erased on ${englishTime(erasesAtMs)}. Until then its primary owner can restore it.`,
      ],
      closing: [`Your accounts: ${link}`],
    }),
    de: ({ accountName, atMs, erasesAtMs, link, isReminder = false }) => ({
      subject: isReminder ? 'Ein geschlossenes Konto wird bald gelöscht' : 'Ein Konto wurde geschlossen',
      paragraphs: [
        `${accountName === undefined ? 'Ein Konto, das dir gehört,' : `Das Konto „${accountName}“`} wurde am ${germanTime(atMs)} geschlossen. Niemand kann es mehr benutzen.`,
        `Sein Inhalt wird am ${germanTime(erasesAtMs)} gelöscht. Bis dahin kann es wiederhergestellt werden, und zwar von der Person, der es gehört.`,
      ],
      closing: [`Deine Konten: ${link}`],
    }),
  },
};
