import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, HELD } from '../mail-kind.js';

const FIRST_PROOF = {
  en: 'It was the first proof that you own this account, so every session and every connected profile it had until then has ended, and its passkeys where sign-ins take no second step. You can connect your profiles and add passkeys again.',
  de: 'Damit hast du zum ersten Mal gezeigt, dass dir dieser Zugang gehört. Darum sind alle Sitzungen und alle verbundenen Profile von vorher beendet, und die Passkeys, wenn die Anmeldung keinen zweiten Schritt verlangt. Profile und Passkeys kannst du wieder hinzufügen.',
};

/**
 * Notifies the owner of an address that the password was changed, so that they can react if it was not them.
 */
export const passwordChanged: MailKind<{
  atMs: number;
  link: string;
  isFirstProof?: boolean;
  hasHeld?: boolean;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, isFirstProof = false, hasHeld = false }) => ({
      subject: 'Your password was changed',
      paragraphs: [
        `Your password was changed on ${englishTime(atMs)}.`,
        ...(isFirstProof ? [FIRST_PROOF.en] : []),
        ...(hasHeld ? [HELD.en] : []),
      ],
      closing: [`If it was not you, set a new one at once: ${link}`],
    }),
    de: ({ atMs, link, isFirstProof = false, hasHeld = false }) => ({
      subject: 'Dein Passwort wurde geändert',
      paragraphs: [
        `Dein Passwort wurde am ${germanTime(atMs)} geändert.`,
        ...(isFirstProof ? [FIRST_PROOF.de] : []),
        ...(hasHeld ? [HELD.de] : []),
      ],
      closing: [`Wenn du es nicht warst, setze sofort ein neues: ${link}`],
    }),
  },
};
