import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

const EN = ['', 'one step', 'a second factor', 'a passkey'];
const DE = ['', 'ein Schritt', 'ein zweiter Faktor', 'ein Passkey'];

/** Tells owners which level of authentication their account asks for from now on. */
export const policyChanged: MailKind<{ account: string; level: number; fromMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ account, level, fromMs, link }) => ({
      subject: `Signing in to ${account}`,
      paragraphs: [
        `What everybody needs to work in the account ${account}: ${EN[level]}.`,
        `This counts from ${englishTime(fromMs)}.`,
      ],
      closing: [`If nobody in the account should have changed that, look at its members: ${link}`],
    }),
    de: ({ account, level, fromMs, link }) => ({
      subject: `Anmeldung für ${account}`,
      paragraphs: [
        `Was alle brauchen, um im Konto ${account} zu arbeiten: ${DE[level]}.`,
        `Das gilt ab ${germanTime(fromMs)}.`,
      ],
      closing: [`Falls das niemand im Konto ändern sollte, sieh nach den Mitgliedern: ${link}`],
    }),
  },
};
