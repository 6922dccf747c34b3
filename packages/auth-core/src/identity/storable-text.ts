import { z } from 'zod';

/** Control characters, line and paragraph separators, and halves of a surrogate pair. */
const UNSTORABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/**
 * One line of text, 1 to `maxLength` UTF-16 units, which a database gives back exactly as it was
 * sent and which cannot break out of a mail header or a log line: control characters (CR, LF and NUL
 * among them), Unicode line separators and lone surrogates are refused.
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
