import { z } from 'zod';
import { passwordByteLength } from './password-byte-length.js';

const MALFORMED = /[\0\p{Cs}]/u;

/**
 * A new password: 8 to 72 bytes of UTF-8 (bcrypt reads no more), any characters but NUL and lone surrogates.
 * `passwordPolicy` checks whether it is easy to guess.
 */
export const passwordSchema = z
  .string()
  .refine((text) => passwordByteLength(text) >= 8, { message: 'must be at least 8 bytes long' })
  .refine((text) => passwordByteLength(text) <= 72, {
    message: 'must be at most 72 bytes long (bytes of UTF-8, not characters)',
  })
  .refine((text) => !MALFORMED.test(text), { message: 'must not contain NUL or broken Unicode' });
