import type { Tracing } from '../tracing/tracing.js';
import type { PasswordHasher } from './password-hasher.js';

/** A hasher with a span for each hash, including its wait. */
export function tracedPasswords(passwords: PasswordHasher, tracing: Tracing): PasswordHasher {
  return {
    ...passwords,
    hash: (password, options) => tracing.span('password.hash', {}, () => passwords.hash(password, options)),
    compare: (password, stored, rounds) =>
      tracing.span('password.verify', {}, () => passwords.compare(password, stored, rounds)),
  };
}
