import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, HELD } from '../mail-kind.js';

/** Notifies an owner who has just proved their address that all earlier credentials have ended. */
export const signInsEnded: MailKind<{ atMs: number; link: string; hasHeld?: boolean }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, hasHeld = false }) => ({
      subject: 'Earlier ways to sign in to your account have ended',
      paragraphs: [
        `On ${englishTime(atMs)} you proved that this address is yours. Nobody had shown before that whoever set up the account reads mail at this address, so the password, the sessions and the connected profiles it had until then have ended, and its passkeys where sign-ins take no second step.`,
        hasHeld ? HELD.en : 'You need not do anything.',
        'You can connect your profiles and add passkeys again.',
      ],
      closing: [`To sign in with a password as well, set a new one: ${link}`],
    }),
    de: ({ atMs, link, hasHeld = false }) => ({
      subject: 'Frühere Anmeldungen an deinem Zugang sind beendet',
      paragraphs: [
        `Am ${germanTime(atMs)} hast du gezeigt, dass diese Adresse dir gehört. Bis dahin hatte niemand gezeigt, dass die Person, die den Zugang angelegt hat, hier Mails liest. Darum sind das Passwort, die Sitzungen und die verbundenen Profile von vorher beendet, und die Passkeys, wenn die Anmeldung keinen zweiten Schritt verlangt.`,
        hasHeld ? HELD.de : 'Du musst nichts tun.',
        'Profile und Passkeys kannst du wieder hinzufügen.',
      ],
      closing: [`Um dich auch mit Passwort anzumelden, setze ein neues: ${link}`],
    }),
  },
};
