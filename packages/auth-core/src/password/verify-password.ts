import bcrypt from 'bcrypt';
import { dummyHash } from './dummy-hash.js';
import { isPasswordHash } from './is-password-hash.js';
import { passwordByteLength } from './password-byte-length.js';

/**
 * Compares a password with a stored bcrypt hash, on the thread pool. False, never an exception, for a
 * stored value that is no bcrypt hash (plain text above all) and for a password bcrypt cannot read
 * whole; those cost one comparison too, so that the time does not tell them apart.
 */
export async function verifyPassword(plain: string, stored: string | null | undefined): Promise<boolean> {
  if (typeof plain !== 'string' || typeof stored !== 'string') return refuseSlowly();
  if (passwordByteLength(plain) > 72 || !isPasswordHash(stored)) return refuseSlowly();
  return bcrypt.compare(plain, asVersion2b(stored));
}

async function refuseSlowly(): Promise<false> {
  await bcrypt.compare('', dummyHash);
  return false;
}

/** PHP's `$2y$` names the algorithm that everybody else calls `$2b$`; the binding knows only the latter. */
function asVersion2b(hash: string): string {
  return hash.startsWith('$2y$') ? `$2b$${hash.slice(4)}` : hash;
}
