import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, NEW_PASSWORD } from '../mail-kind.js';

/** Notifies both mailboxes that one address has replaced the other. */
export const addressChanged: MailKind<{ atMs: number; link: string; isNew: boolean }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, isNew }) => ({
      subject: 'Your email address was changed',
      paragraphs: [
        `The email address of your account was changed on ${englishTime(atMs)}.`,
        isNew
          ? 'From now on, you sign in with this address, and we send your emails to it.'
          : 'This address no longer belongs to the account.',
        ...(isNew ? ["If this wasn't you, set a new password now."] : []),
      ],
      ...(isNew
        ? { action: NEW_PASSWORD.en(link), closing: [] }
        : { closing: ["If this wasn't you, contact support."] }),
    }),
    de: ({ atMs, link, isNew }) => ({
      subject: 'Deine E-Mail-Adresse wurde geändert',
      paragraphs: [
        `Die E-Mail-Adresse deines Kontos wurde am ${germanTime(atMs)} geändert.`,
        isNew
          ? 'Ab jetzt meldest du dich mit dieser Adresse an und erhältst hier deine E-Mails.'
          : 'Diese Adresse gehört nicht mehr zu dem Konto.',
        ...(isNew ? ['Wenn du das nicht warst, lege sofort ein neues Passwort fest.'] : []),
      ],
      ...(isNew
        ? { action: NEW_PASSWORD.de(link), closing: [] }
        : { closing: ['Wenn du das nicht warst, wende dich an den Support.'] }),
    }),
  },
};
