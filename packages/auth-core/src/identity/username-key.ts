import { foldedText } from './folded-text.js';
import { INVISIBLE } from './invisible.js';

const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'gu');

/**
 * The form in which usernames are unique: a search key without accents and invisible characters, and with each
 * run of blanks as one space. Idempotent.
 */
export function usernameKey(text: string): string {
  return foldedText(text.normalize('NFKD').replace(UNSEEN, ''));
}
