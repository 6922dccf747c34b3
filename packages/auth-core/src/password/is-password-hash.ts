import { readStoredPassword } from './read-stored-password.js';

/**
 * Whether a password can be compared with a stored value: a bcrypt hash (`$2a$`, `$2b$` or `$2y$`) of cost 4
 * to 12, wrapped or not.
 */
export function isPasswordHash(stored: string): boolean {
  return readStoredPassword(stored).kind !== 'unknown';
}
