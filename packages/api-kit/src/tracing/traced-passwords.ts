import type { PasswordHasher } from '../login/password-hasher.js';
import type { Tracing } from './tracing.js';

/** A hasher whose hashes, with the wait for their turn, are spans. */
export function tracedPasswords(passwords: PasswordHasher, tracing: Tracing): PasswordHasher {
  return {
    ...passwords,
    hash: (password) => tracing.span('password.hash', {}, () => passwords.hash(password)),
    verify: (password, stored) =>
      tracing.span('password.verify', {}, () => passwords.verify(password, stored)),
  };
}
