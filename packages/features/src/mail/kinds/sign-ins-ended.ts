import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, HELD, NEW_PASSWORD } from '../mail-kind.js';

/** Notifies an owner who has just proved their address that all earlier credentials have ended. */
export const signInsEnded: MailKind<{ atMs: number; link: string; hasHeld?: boolean }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, hasHeld = false }) => ({
      subject: 'Earlier ways to sign in were removed from your account',
      paragraphs: [
        `On ${englishTime(atMs)}, you confirmed that this address is yours. It had not been confirmed before, so someone else could have created the account. That is why its password, sessions and connected providers were removed, and, unless two-step sign-in is on, its passkeys.`,
        hasHeld ? HELD.en : "You don't need to do anything.",
        'You can add providers and passkeys again.',
        'To sign in with a password, set a new one.',
      ],
      action: NEW_PASSWORD.en(link),
      closing: [],
    }),
    de: ({ atMs, link, hasHeld = false }) => ({
      subject: 'Frühere Anmeldewege wurden aus deinem Konto entfernt',
      paragraphs: [
        `Am ${germanTime(atMs)} hast du bestätigt, dass diese Adresse dir gehört. Vorher war sie nicht bestätigt, das Konto könnte also jemand anders erstellt haben. Deshalb wurden Passwort, Sitzungen und verbundene Anbieter von vorher entfernt und, falls die Anmeldung in zwei Schritten aus ist, auch die Passkeys.`,
        hasHeld ? HELD.de : 'Du musst nichts tun.',
        'Anbieter und Passkeys kannst du wieder hinzufügen.',
        'Um dich auch mit Passwort anzumelden, lege ein neues fest.',
      ],
      action: NEW_PASSWORD.de(link),
      closing: [],
    }),
  },
};
