import bcrypt from 'bcrypt';
import { fitsBcrypt, normalizePassword } from './password-characters.js';

/**
 * Normalizes a password and hashes it with bcrypt (`$2b$`), on the thread pool. `cost` is the binary logarithm of the rounds.
 * @throws RangeError for more than 72 bytes, which bcrypt would silently cut, and for a cost outside 4 to 15.
 */
export async function hashPassword(plain: string, cost = 10): Promise<string> {
  const normalized = normalizePassword(plain);
  if (!fitsBcrypt(normalized)) throw new RangeError('a password of more than 72 bytes cannot be hashed');
  if (!Number.isInteger(cost) || cost < 4 || cost > 15)
    throw new RangeError('the bcrypt cost must be 4 to 15');
  return bcrypt.hash(normalized, cost);
}
