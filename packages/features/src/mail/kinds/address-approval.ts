import type { MailKind } from '../mail-kind.js';

/** Asks the owner of the current address whether another may replace it. */
export const addressApproval: MailKind<{ link: string }> = {
  countedAs: 'own',
  mostPerHour: 5,
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ link }) => ({
      subject: 'May your e-mail address be changed?',
      paragraphs: [
        'Somebody who is signed in to your account asked for another e-mail address. The change happens once you agree here and the new address is confirmed.',
        'The page also lets you refuse. That stops the change at once; with your password it signs out everybody, you included.',
      ],
      action: { label: 'Agree or refuse', link },
      closing: ['If it was not you, refuse, and set a new password.'],
    }),
    de: ({ link }) => ({
      subject: 'Darf deine E-Mail-Adresse geändert werden?',
      paragraphs: [
        'Jemand, der an deinem Zugang angemeldet ist, hat eine andere E-Mail-Adresse verlangt. Die Änderung geschieht, sobald du hier zustimmst und die neue Adresse bestätigt ist.',
        'Auf der Seite kannst du auch ablehnen. Das hält die Änderung sofort an; mit deinem Passwort meldet es alle ab, auch dich.',
      ],
      action: { label: 'Zustimmen oder ablehnen', link },
      closing: ['Wenn du es nicht warst, lehne ab und setze ein neues Passwort.'],
    }),
  },
};
