import { z } from 'zod';

/**
 * A password typed at a login, 1 to 1,024 characters: no rule for new passwords applies, because
 * members keep the passwords they have. One that bcrypt cannot read simply does not match.
 */
export const submittedPasswordSchema = z.string().min(1).max(1024);
