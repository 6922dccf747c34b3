import { z } from 'zod';
import { emailKey } from './email-key.js';
import { INVISIBLE } from './invisible.js';
import { storableText } from './storable-text.js';

/** RFC 5321, section 4.5.3.1.3, less the two angle brackets. */
const MAX_LENGTH = 254;

const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'u');
const ADDRESS =
  /^[^\s\p{Cf}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}-]{2,}$/u;

/**
 * An e-mail address as a person writes it: blanks around it are dropped, everything else is kept as
 * sent. Internationalised local parts and domains are allowed; quoted local parts, comments, address
 * literals and invisible characters are not.
 */
export const emailSchema = z
  .string()
  .trim()
  .pipe(storableText(MAX_LENGTH))
  .refine((text) => ADDRESS.test(text) && !UNSEEN.test(text) && emailKey(text).length <= MAX_LENGTH, {
    message: 'must be an e-mail address',
  });
