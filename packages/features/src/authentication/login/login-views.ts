import { loginNameSchema, submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';

/** The input of a password login. `email` is matched against the member's sid, then the e-mail. */
export const passwordLogin = z.object({ email: loginNameSchema, password: submittedPasswordSchema });

/** The answer of every login that creates a session. */
export const sessionView = z.object({
  token: z.string(),
  userId: z.int(),
  role: z.int(),
  accountId: z.int().nullable(),
});
