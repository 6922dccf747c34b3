import bcrypt from 'bcrypt';
import { readStoredPassword, WRAPPED } from './read-stored-password.js';

/**
 * Hashes a bcrypt hash of a cost below 10 again with cost 10, and puts the inner salt and cost before the
 * result. A comparison then hashes the password twice. The password itself is not needed here.
 * @throws RangeError for anything other than such a hash
 */
export async function wrapPasswordHash(stored: string): Promise<string> {
  const read = readStoredPassword(stored);
  if (read.kind !== 'weak') throw new RangeError('only a bcrypt hash of cost 4 to 9 is wrapped');
  return `${WRAPPED}${read.hash.slice(0, 29)}${await bcrypt.hash(read.hash, 10)}`;
}
