import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, NEW_PASSWORD } from '../mail-kind.js';

/** Notifies the owner of the current address that another is to replace it. */
export const addressChanging: MailKind<{ atMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link }) => ({
      subject: 'Your email address is about to change',
      paragraphs: [
        `On ${englishTime(atMs)}, a change of your email address was requested. It takes effect once the new address is confirmed. This address then no longer belongs to your account.`,
        "If this wasn't you, set a new password now. That also stops the change.",
      ],
      action: NEW_PASSWORD.en(link),
      closing: [],
    }),
    de: ({ atMs, link }) => ({
      subject: 'Deine E-Mail-Adresse wird geändert',
      paragraphs: [
        `Am ${germanTime(atMs)} wurde eine Änderung deiner E-Mail-Adresse angefordert. Sie wird wirksam, sobald die neue Adresse bestätigt ist. Diese Adresse gehört dann nicht mehr zu deinem Konto.`,
        'Wenn du das nicht warst, lege sofort ein neues Passwort fest. Das stoppt auch die Änderung.',
      ],
      action: NEW_PASSWORD.de(link),
      closing: [],
    }),
  },
};
