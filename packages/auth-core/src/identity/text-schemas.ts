import { z } from 'zod';

/** A mark used in all scripts is an accent. A vowel sign of a single script is a letter. */
const ACCENT = /(?=\p{M})\p{Script=Inherited}/gu;

/** Removes differences that do not matter between names: case, width, accents and repeated blanks. Idempotent. */
export function foldedText(text: string): string {
  const stripped = fold(text).normalize('NFKD').replace(ACCENT, '');
  return fold(stripped).replace(/\s+/gu, ' ');
}

/** Final sigma is folded, because it has no upper case. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').trim();
}

/**
 * Invisible characters: format characters, those Unicode lets a renderer ignore (Hangul fillers included),
 * and letters drawn as blanks (the empty Braille pattern, the Khitan filler, the musical null). The source of
 * a regular expression with flag `u`.
 */
export const INVISIBLE = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}`;

const VISIBLE = new RegExp(String.raw`[^${INVISIBLE}\p{Z}\p{M}\s]`, 'u');

/**
 * Whether a text has a visible character: anything but blanks, invisible letters and marks without a letter.
 */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Control characters, line and paragraph separators, and halves of a surrogate pair. */
const UNSTORABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/**
 * One line of text, 1 to `maxLength` UTF-16 units, that a database returns unchanged and that cannot break out
 * of a mail header or log line. Refuses control characters (CR, LF and NUL included), Unicode line separators
 * and lone surrogates.
 */
export function storableText(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !UNSTORABLE.test(text), {
      message: 'must not contain control characters or broken Unicode',
    });
}

/**
 * The form of names and searched texts for comparison. It ignores case, width and accents, so `zoe` finds `Zoë`.
 * LIKE wildcards stay; the query escapes them. Idempotent.
 */
export function searchKey(text: string): string {
  return foldedText(text);
}

const MAX_LENGTH = 100;

/**
 * A person's first or last name, or an account's name: one visible line of 1 to 100 characters, kept as sent. A
 * name that exceeds 100 characters after normalisation is refused, so that its search key fits.
 */
export const personNameSchema = storableText(MAX_LENGTH)
  .refine((text) => searchKey(text).length <= MAX_LENGTH, { message: 'is too long' })
  .refine(isVisible, { message: 'must contain something visible' });

/**
 * A search text: one line of at most 200 characters. An empty one matches everything. It is compared in the
 * form of `searchKey`.
 */
export const searchTextSchema = z.union([z.literal(''), storableText(200)], {
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be one line of at most 200 characters'),
});
