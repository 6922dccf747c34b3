import { emailKey } from './email-key.js';

/** Marks that any script may carry are accents; vowel signs that belong to one script are letters. */
const ACCENT = /(?=\p{M})\p{Script=Inherited}/gu;

/**
 * The form under which a username is unique: as an e-mail key, and without accents, and with every
 * run of blanks as one space. Idempotent.
 */
export function usernameKey(text: string): string {
  const stripped = emailKey(text).normalize('NFKD').replace(ACCENT, '');
  return emailKey(stripped).replace(/\s+/gu, ' ');
}
