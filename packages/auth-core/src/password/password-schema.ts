import { z } from 'zod';
import { lengthProblem } from './password-characters.js';

const MALFORMED = /[\0\p{Cs}]/u;

/**
 * A new password: at least 8 characters, and at most 72 bytes of UTF-8 (bcrypt reads no more), both after normalization. Any characters but
 * NUL and lone surrogates. `passwordPolicy` checks whether it is easy to guess.
 */
export const passwordSchema = z
  .string()
  .superRefine((text, context) => {
    const problem = lengthProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem.message });
  })
  .refine((text) => !MALFORMED.test(text), { message: 'must not contain NUL or broken Unicode' });
