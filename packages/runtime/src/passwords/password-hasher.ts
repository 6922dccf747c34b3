import { comparePassword, hashPassword, type PasswordComparison } from '@gatehouse/auth-core';
import { createBoundedQueue } from '../queues/create-bounded-queue.js';
import type { Tracing } from '../tracing/tracing.js';

export interface PasswordHasher {
  /**
   * Runs a login when the queue admits it, before any database query.
   * @throws {AppError} `unavailable` if too many are waiting, or it has waited too long.
   */
  admit<Result>(login: () => Promise<Result>): Promise<Result>;
  /**
   * `isLogin` marks the hash of an admitted login.
   * @throws {AppError} `unavailable` if too many are waiting.
   */
  hash(password: string, options?: { readonly isLogin: boolean }): Promise<string>;
  /**
   * Compares by bcrypt with the same number of rounds for every stored value, and even without one. An
   * unknown member takes the same time.
   * @throws {AppError} `unavailable` if too many are waiting.
   */
  compare(
    password: string,
    stored: string | undefined,
    rounds: number | undefined,
  ): Promise<PasswordComparison>;
  /** `shed` counts the refused ones. */
  load(): { running: number; waiting: number; shed: number };
}

/** Registrations and password changes may wait this many times longer than logins, which go first. */
const PATIENCE = 3;

const FULL = 'too many wait for a password to be hashed';

/**
 * Limits hashing: at most `concurrency` at once, at most `queueLimit` waiting, none longer than
 * `longestWaitMs`. A burst of logins neither blocks other requests nor fills the memory. A few more logins
 * are admitted than hashed, so that no core idles during their queries.
 */
export function createPasswordHasher(options: {
  concurrency: number;
  queueLimit: number;
  longestWaitMs: number;
  /** Called with the time of each hash, without the wait. */
  onHashed?: (seconds: number) => void;
}): PasswordHasher {
  const hashing = createBoundedQueue({
    fullBecause: FULL,
    ...options,
    longestWaitMs: PATIENCE * options.longestWaitMs,
  });
  const logins = createBoundedQueue({
    fullBecause: FULL,
    ...options,
    concurrency: 2 * options.concurrency + 1,
  });

  const queued = <Result>(work: () => Promise<Result>, isLogin: boolean): Promise<Result> =>
    hashing.run(async () => {
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        options.onHashed?.((performance.now() - startedMs) / 1000);
      }
    }, isLogin);

  return {
    admit: logins.run,
    load: () => ({
      running: hashing.load.running,
      waiting: hashing.load.waiting + logins.load.waiting,
      shed: hashing.load.shed + logins.load.shed,
    }),
    hash: (password, { isLogin } = { isLogin: false }) => queued(() => hashPassword(password), isLogin),
    compare: (password, stored, rounds) => queued(() => comparePassword(password, stored, rounds), true),
  };
}

/** A hasher with a span for each hash, including its wait. */
export function tracedPasswords(passwords: PasswordHasher, tracing: Tracing): PasswordHasher {
  return {
    ...passwords,
    hash: (password, options) => tracing.span('password.hash', {}, () => passwords.hash(password, options)),
    compare: (password, stored, rounds) =>
      tracing.span('password.verify', {}, () => passwords.compare(password, stored, rounds)),
  };
}
