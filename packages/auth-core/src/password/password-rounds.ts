import { readStoredPassword } from './read-stored-password.js';

/** Rounds of bcrypt that comparing with a hash of ours takes. */
export const OWN_ROUNDS = 2 ** 10;

/** Rounds of bcrypt that comparing a password with a stored value takes. */
export function passwordRounds(stored: string): number {
  const read = readStoredPassword(stored);
  if (read.kind === 'bcrypt') return 2 ** read.cost;
  return read.kind === 'weak' || read.kind === 'wrapped' ? OWN_ROUNDS + 2 ** read.cost : OWN_ROUNDS;
}
