import { z } from 'zod';

/**
 * A password typed at a login, 1 to 1,024 characters. The rules for new passwords do not apply, because members
 * keep old ones. A password too long for bcrypt does not match.
 */
export const submittedPasswordSchema = z.string().min(1).max(1024);
