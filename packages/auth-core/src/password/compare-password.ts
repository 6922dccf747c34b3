import bcrypt from 'bcrypt';
import { timingSafeEqualText } from '../crypto/timing-safe-equal-text.js';
import { dummyHash } from './dummy-hash.js';
import { fitsBcrypt, normalizePassword } from './password-characters.js';
import { OWN_ROUNDS, passwordRounds } from './password-rounds.js';
import { readStoredPassword } from './read-stored-password.js';
import { wrapPasswordHash } from './wrap-password-hash.js';

/** The result of a comparison. */
export interface PasswordComparison {
  readonly matches: boolean;
  /** The wrapped hash that replaces one of low cost. */
  readonly wrapped?: string;
}

const SALT = 'CCCCCCCCCCCCCCCCCCCCC.';
const LOWEST_COST = 4;

/**
 * Compares a password with a stored value by bcrypt, on the thread pool. Returns false, and never throws, for a
 * stored value that is no hash (such as plain text) and for a password too long for bcrypt. The password is normalized. If that
 * changes it and does not match, it is compared once more as it was sent, because other systems and earlier releases hashed it so. Each
 * comparison takes `rounds` rounds: cheaper ones are padded, so timing reveals neither the kind of hash nor whether the member
 * exists. Pass the rounds of the costliest stored value, see `passwordRounds`.
 */
export async function comparePassword(
  plain: string,
  stored: string | null | undefined,
  rounds = OWN_ROUNDS,
): Promise<PasswordComparison> {
  const missing = rounds - (typeof stored === 'string' ? passwordRounds(stored) : OWN_ROUNDS);
  const given = typeof plain === 'string' ? plain : '';
  const normalized = normalizePassword(given);
  const comparison = await compare(normalized, stored);
  await fillUp(missing);
  if (comparison.matches || normalized === given) return comparison;
  const asSent = await compare(given, stored);
  await fillUp(missing);
  return asSent;
}

async function compare(plain: string, stored: string | null | undefined): Promise<PasswordComparison> {
  const read = typeof stored === 'string' ? readStoredPassword(stored) : undefined;
  const isReadable = fitsBcrypt(plain);
  const given = isReadable ? plain : '';
  switch (read?.kind) {
    case 'bcrypt':
      return { matches: (await bcrypt.compare(given, read.hash)) && isReadable };
    case 'wrapped': {
      const inner = await bcrypt.hash(given, read.salt);
      return { matches: (await bcrypt.compare(inner, read.hash)) && isReadable };
    }
    case 'weak': {
      const inner = await bcrypt.hash(given, read.hash.slice(0, 29));
      const wrapped = await wrapPasswordHash(read.hash);
      return { matches: timingSafeEqualText(inner, read.hash) && isReadable, wrapped };
    }
    case 'unknown':
    case undefined:
      await bcrypt.compare(given, dummyHash);
      return { matches: false };
  }
}

/** Any missing number of rounds is a sum of powers of two from 16 on, which bcrypt accepts as costs. */
async function fillUp(missing: number): Promise<void> {
  for (let cost = LOWEST_COST; 2 ** cost <= missing; cost += 1) {
    if ((missing & (2 ** cost)) === 0) continue;
    await bcrypt.hash('', `$2b$${String(cost).padStart(2, '0')}$${SALT}`);
  }
}
