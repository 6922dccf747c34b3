import { z } from 'zod';

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
