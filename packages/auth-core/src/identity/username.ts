import { z } from 'zod';
import { foldedText, INVISIBLE, storableText } from './text-schemas.js';

const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'gu');

/**
 * The form in which usernames are unique: a search key without accents and invisible characters, and with each
 * run of blanks as one space. Idempotent.
 */
export function usernameKey(text: string): string {
  return foldedText(text.normalize('NFKD').replace(UNSEEN, ''));
}

const MAX_LENGTH = 100;

/** Ordinary names contain variation selectors, which choose the form of an emoji. */
const NOT_SEEN = new RegExp(String.raw`(?!\p{Variation_Selector})[${INVISIBLE}]`, 'u');

/**
 * A username of 1 to 100 characters: trimmed, otherwise kept as sent. Invisible characters are refused,
 * because two names could look the same. A name that is empty after normalisation is refused too.
 */
export const usernameSchema = z
  .string()
  .trim()
  .pipe(storableText(MAX_LENGTH))
  .refine((text) => !NOT_SEEN.test(text), { message: 'must not contain invisible characters' })
  .refine((text) => isComparable(usernameKey(text)), { message: 'must contain letters or digits' });

function isComparable(key: string): boolean {
  return key.length > 0 && key.length <= MAX_LENGTH;
}

/**
 * A name typed at a login: an e-mail address or another login identifier (`google:123`), 1 to 320 characters. It
 * is only looked up, so it need not be an address.
 */
export const loginNameSchema = storableText(320);
