import { emailKey } from './email-key.js';

/** A mark used in all scripts is an accent. A vowel sign of a single script is a letter. */
const ACCENT = /(?=\p{M})\p{Script=Inherited}/gu;

/** Removes differences that do not matter between names: case, width, accents and repeated blanks. Idempotent. */
export function foldedText(text: string): string {
  const stripped = emailKey(text).normalize('NFKD').replace(ACCENT, '');
  return emailKey(stripped).replace(/\s+/gu, ' ');
}
