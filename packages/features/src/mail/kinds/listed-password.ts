import type { MailKind } from '../mail-kind.js';

/** Asks a member, once, to replace a password that is among those that are tried first. */
export const listedPassword: MailKind<{ link: string }> = {
  countedAs: 'notice',
  mostPerHour: 5,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ link }) => ({
      subject: 'Please choose another password',
      paragraphs: [
        'Your password is on a public list of common or stolen passwords, so it is easy to guess. You can still sign in with it.',
      ],
      action: { label: 'Set a new password', link },
      closing: ["We don't know your password. We compared it with the list when you signed in."],
    }),
    de: ({ link }) => ({
      subject: 'Bitte wähle ein anderes Passwort',
      paragraphs: [
        'Dein Passwort steht auf einer öffentlichen Liste häufiger oder gestohlener Passwörter und ist deshalb leicht zu erraten. Du kannst dich weiter damit anmelden.',
      ],
      action: { label: 'Neues Passwort festlegen', link },
      closing: ['Wir kennen dein Passwort nicht. Wir haben es bei der Anmeldung mit der Liste verglichen.'],
    }),
  },
};
