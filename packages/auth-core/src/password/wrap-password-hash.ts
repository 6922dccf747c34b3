import bcrypt from 'bcrypt';
import { readStoredPassword, WRAPPED } from './read-stored-password.js';

/**
 * Hashes a bcrypt hash of a cost below 10 with cost 10, and keeps its salt and cost before the result: a password is
 * compared with it by hashing it twice. The password itself is not needed.
 *
 * @throws RangeError for anything else than such a hash
 */
export async function wrapPasswordHash(stored: string): Promise<string> {
  const read = readStoredPassword(stored);
  if (read.kind !== 'weak') throw new RangeError('only a bcrypt hash of cost 4 to 9 is wrapped');
  return `${WRAPPED}${read.hash.slice(0, 29)}${await bcrypt.hash(read.hash, 10)}`;
}
