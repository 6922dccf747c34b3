import { readStoredPassword } from './read-stored-password.js';

/** Bcrypt rounds of a hash with our own cost. */
export const OWN_ROUNDS = 2 ** 10;

/** Bcrypt rounds of a comparison with a stored value. */
export function passwordRounds(stored: string): number {
  const read = readStoredPassword(stored);
  if (read.kind === 'bcrypt') return 2 ** read.cost;
  return read.kind === 'weak' || read.kind === 'wrapped' ? OWN_ROUNDS + 2 ** read.cost : OWN_ROUNDS;
}
