import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies the owner of an address that a provider's profile can now sign in as them. */
export const newConnection: MailKind<{ providerName: string; atMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ providerName, atMs, link }) => ({
      subject: 'A sign-in was connected to your account',
      paragraphs: [
        `A ${providerName} profile was connected to your account on ${englishTime(atMs)}. It can be used to sign in from now on.`,
      ],
      closing: [`If it was not you, set a new password at once and remove the connection: ${link}`],
    }),
    de: ({ providerName, atMs, link }) => ({
      subject: 'Deinem Zugang wurde eine Anmeldung hinzugefügt',
      paragraphs: [
        `Ein Profil bei ${providerName} wurde am ${germanTime(atMs)} mit deinem Zugang verbunden. Ab jetzt kann man sich damit anmelden.`,
      ],
      closing: [
        `Wenn du es nicht warst, setze sofort ein neues Passwort und entferne die Verbindung: ${link}`,
      ],
    }),
  },
};
