import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, HELD, NEW_PASSWORD } from '../mail-kind.js';

const FIRST_PROOF = {
  en: 'This was the first confirmation that the account is yours, so all earlier sessions and connected providers were removed, and, unless two-step sign-in is on, all passkeys. You can add providers and passkeys again.',
  de: 'Damit hast du zum ersten Mal bestätigt, dass dieses Konto dir gehört. Deshalb wurden alle früheren Sitzungen und verbundenen Anbieter entfernt und, falls die Anmeldung in zwei Schritten aus ist, auch alle Passkeys. Anbieter und Passkeys kannst du wieder hinzufügen.',
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
        "If this wasn't you, set a new one now.",
      ],
      action: NEW_PASSWORD.en(link),
      closing: [],
    }),
    de: ({ atMs, link, isFirstProof = false, hasHeld = false }) => ({
      subject: 'Dein Passwort wurde geändert',
      paragraphs: [
        `Dein Passwort wurde am ${germanTime(atMs)} geändert.`,
        ...(isFirstProof ? [FIRST_PROOF.de] : []),
        ...(hasHeld ? [HELD.de] : []),
        'Wenn du das nicht warst, lege sofort ein neues fest.',
      ],
      action: NEW_PASSWORD.de(link),
      closing: [],
    }),
  },
};
