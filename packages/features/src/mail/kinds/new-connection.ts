import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, NEW_PASSWORD } from '../mail-kind.js';

/** Notifies the owner of an address that a provider's profile can now sign in as them. */
export const newConnection: MailKind<{ providerName: string; atMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ providerName, atMs, link }) => ({
      subject: `${providerName} was connected to your account`,
      paragraphs: [
        `${providerName} was connected to your account on ${englishTime(atMs)}. You can now sign in with it.`,
        "If this wasn't you, set a new password now and remove the connection.",
      ],
      action: NEW_PASSWORD.en(link),
      closing: [],
    }),
    de: ({ providerName, atMs, link }) => ({
      subject: `${providerName} wurde mit deinem Konto verbunden`,
      paragraphs: [
        `${providerName} wurde am ${germanTime(atMs)} mit deinem Konto verbunden. Du kannst dich jetzt damit anmelden.`,
        'Wenn du das nicht warst, lege sofort ein neues Passwort fest und entferne die Verbindung.',
      ],
      action: NEW_PASSWORD.de(link),
      closing: [],
    }),
  },
};
