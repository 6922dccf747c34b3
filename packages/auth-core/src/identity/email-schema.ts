import { z } from 'zod';
import { emailKey } from './email-key.js';
import { INVISIBLE } from './invisible.js';
import { storableText } from './storable-text.js';

/** RFC 5321, section 4.5.3.1.3, without the two angle brackets. */
const MAX_LENGTH = 254;

const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'u');
const ADDRESS =
  /^[^\s\p{Cf}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}-]{2,}$/u;

/**
 * An e-mail address as typed by a person: trimmed, otherwise kept as sent. Internationalised local parts and
 * domains are allowed. Quoted local parts, comments, address literals and invisible characters are not.
 */
export const emailSchema = z
  .string()
  .trim()
  .pipe(storableText(MAX_LENGTH))
  .refine((text) => ADDRESS.test(text) && !UNSEEN.test(text) && emailKey(text).length <= MAX_LENGTH, {
    message: 'must be an e-mail address',
  });
