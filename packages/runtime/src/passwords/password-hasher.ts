import { comparePassword, hashPassword, type PasswordComparison } from '@gatehouse/auth-core';
import { createBoundedQueue } from '../queues/create-bounded-queue.js';

export interface PasswordHasher {
  /**
   * Runs a login when its turn comes, before it has asked the database anything: those who wait hold a place in the
   * queue and nothing else.
   * @throws {AppError} `unavailable` when too many are waiting, or it has waited too long.
   */
  admit<Result>(login: () => Promise<Result>): Promise<Result>;
  /**
   * `isLogin` says that a login which was admitted goes on with it.
   * @throws {AppError} `unavailable` when too many are waiting.
   */
  hash(password: string, options?: { readonly isLogin: boolean }): Promise<string>;
  /**
   * Compares by bcrypt, in as many rounds whatever is stored, and where there is nothing: an unknown member costs the
   * same time.
   * @throws {AppError} `unavailable` when too many are waiting.
   */
  compare(
    password: string,
    stored: string | undefined,
    rounds: number | undefined,
  ): Promise<PasswordComparison>;
  /** `shed` counts those that were refused. */
  load(): { running: number; waiting: number; shed: number };
}

/** Whoever registers or changes a password may wait so many times as long as whoever logs in, and lets them go first. */
const PATIENCE = 3;

/**
 * Bounds the hashing: at most `concurrency` at once, at most `queueLimit` waiting and none longer than `longestWaitMs`,
 * so that a storm of logins neither starves other requests nor piles up. A few more logins are admitted than are hashed,
 * so that no processor waits while the database is asked.
 */
export function createPasswordHasher(options: {
  concurrency: number;
  queueLimit: number;
  longestWaitMs: number;
  /** Told how long each hash took, without the wait. */
  onHashed?: (seconds: number) => void;
}): PasswordHasher {
  const hashing = createBoundedQueue({ ...options, longestWaitMs: PATIENCE * options.longestWaitMs });
  const logins = createBoundedQueue({ ...options, concurrency: 2 * options.concurrency + 1 });

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
