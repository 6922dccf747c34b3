import { foldedText } from './folded-text.js';
import { INVISIBLE } from './invisible.js';

const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'gu');

/**
 * The form under which a username is unique: as an e-mail key, and without accents and what shows nothing, and with every run
 * of blanks as one space. Idempotent.
 */
export function usernameKey(text: string): string {
  return foldedText(text.normalize('NFKD').replace(UNSEEN, ''));
}
