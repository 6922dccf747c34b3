import { z } from 'zod';
import { INVISIBLE } from './invisible.js';
import { storableText } from './storable-text.js';
import { usernameKey } from './username-key.js';

const MAX_LENGTH = 100;
/** Ordinary names contain variation selectors, which choose the form of an emoji. */
const UNSEEN = new RegExp(String.raw`(?!\p{Variation_Selector})[${INVISIBLE}]`, 'u');

/**
 * A username of 1 to 100 characters: trimmed, otherwise kept as sent. Invisible characters are refused,
 * because two names could look the same. A name that is empty after normalisation is refused too.
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
