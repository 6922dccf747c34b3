import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies both mailboxes that one address has replaced the other. */
export const addressChanged: MailKind<{ atMs: number; link: string; isNew: boolean }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, isNew }) => ({
      subject: 'Your e-mail address was changed',
      paragraphs: [
        `The e-mail address of your account was changed on ${englishTime(atMs)}.`,
        isNew
          ? 'From now on you sign in and get your mails at this address.'
          : 'This address does not belong to the account any more.',
      ],
      closing: [
        isNew
          ? `If it was not you, set a new password at once: ${link}`
          : 'If it was not you, turn to whoever runs this service.',
      ],
    }),
    de: ({ atMs, link, isNew }) => ({
      subject: 'Deine E-Mail-Adresse wurde geändert',
      paragraphs: [
        `Die E-Mail-Adresse deines Zugangs wurde am ${germanTime(atMs)} geändert.`,
        isNew
          ? 'Ab jetzt meldest du dich mit dieser Adresse an und bekommst hier deine Mails.'
          : 'Diese Adresse gehört nicht mehr zu dem Zugang.',
      ],
      closing: [
        isNew
          ? `Wenn du es nicht warst, setze sofort ein neues Passwort: ${link}`
          : 'Wenn du es nicht warst, wende dich an den Betreiber dieses Dienstes.',
      ],
    }),
  },
};
