import type { MailKind } from '../mail-kind.js';

/** Asks the owner of the current address whether another may replace it. */
export const addressApproval: MailKind<{ link: string }> = {
  countedAs: 'own',
  mostPerHour: 5,
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ link }) => ({
      subject: 'Approve the change of your email address',
      paragraphs: [
        'A change of your email address was requested from your account. It takes effect once you approve it and the new address is confirmed.',
        'You can also reject the change. If you enter your password when you do, all your devices are signed out.',
      ],
      action: { label: 'Approve or reject', link },
      closing: ["If you didn't request this, reject it and set a new password."],
    }),
    de: ({ link }) => ({
      subject: 'Bestätige die Änderung deiner E-Mail-Adresse',
      paragraphs: [
        'In deinem Konto wurde eine Änderung der E-Mail-Adresse angefordert. Sie wird wirksam, sobald du sie bestätigst und auch die neue Adresse bestätigt ist.',
        'Du kannst die Änderung auch ablehnen. Wenn du dabei dein Passwort eingibst, werden alle deine Geräte abgemeldet.',
      ],
      action: { label: 'Bestätigen oder ablehnen', link },
      closing: ['Wenn du das nicht warst, lehne ab und lege ein neues Passwort fest.'],
    }),
  },
};
