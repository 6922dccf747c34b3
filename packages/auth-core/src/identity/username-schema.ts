import { z } from 'zod';
import { INVISIBLE } from './invisible.js';
import { storableText } from './storable-text.js';
import { usernameKey } from './username-key.js';

const MAX_LENGTH = 100;
/** The marks that choose between forms of an emoji stand in ordinary names. */
const UNSEEN = new RegExp(String.raw`(?!\p{Variation_Selector})[${INVISIBLE}]`, 'u');

/**
 * A username, 1 to 100 characters: blanks around it are dropped, everything else is kept as sent.
 * Invisible characters are refused, because they make two names that look the same, and so is a name
 * of which nothing is left to compare.
 */
export const usernameSchema = z
  .string()
  .trim()
  .pipe(storableText(MAX_LENGTH))
  .refine((text) => !UNSEEN.test(text), { message: 'must not contain invisible characters' })
  .refine((text) => isComparable(usernameKey(text)), { message: 'must contain letters or digits' });

function isComparable(key: string): boolean {
  return key.length > 0 && key.length <= MAX_LENGTH;
}
