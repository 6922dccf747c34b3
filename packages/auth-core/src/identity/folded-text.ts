import { emailKey } from './email-key.js';

/** Marks that any script may carry are accents; vowel signs that belong to one script are letters. */
const ACCENT = /(?=\p{M})\p{Script=Inherited}/gu;

/** A text without what does not matter when names are compared: case, width, accents and more than one blank. Idempotent. */
export function foldedText(text: string): string {
  const stripped = emailKey(text).normalize('NFKD').replace(ACCENT, '');
  return emailKey(stripped).replace(/\s+/gu, ' ');
}
