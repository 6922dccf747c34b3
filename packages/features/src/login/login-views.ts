import { loginNameSchema, submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';

/** What a password login takes; `email` is matched against the member's sid, then against the e-mail. */
export const passwordLogin = z.object({ email: loginNameSchema, password: submittedPasswordSchema });

/** What every login that makes a session answers. */
export const sessionView = z.object({
  token: z.string(),
  userId: z.int(),
  role: z.int(),
  accountId: z.int().nullable(),
});
