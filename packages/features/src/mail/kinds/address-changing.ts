import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies the owner of the current address that another is to replace it. */
export const addressChanging: MailKind<{ atMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link }) => ({
      subject: 'Your e-mail address is about to change',
      paragraphs: [
        `On ${englishTime(atMs)} a change of the e-mail address of your account was asked for. It happens once the new address is confirmed; this one then no longer belongs to the account.`,
      ],
      closing: [`If it was not you, set a new password at once, which also stops the change: ${link}`],
    }),
    de: ({ atMs, link }) => ({
      subject: 'Deine E-Mail-Adresse wird geändert',
      paragraphs: [
        `Am ${germanTime(atMs)} wurde eine Änderung der E-Mail-Adresse deines Zugangs verlangt. Sie wird wirksam, sobald die neue Adresse bestätigt ist; diese hier gehört dann nicht mehr dazu.`,
      ],
      closing: [
        `Wenn du es nicht warst, setze sofort ein neues Passwort; das hält auch die Änderung auf: ${link}`,
      ],
    }),
  },
};
