import {
  AppError,
  comparePassword,
  type ForeignHash,
  hashPassword,
  normalizePassword,
  type PasswordComparison,
  type RunHashJob,
  readStoredPassword,
  verifyForeignHash,
} from '@gatehouse/auth-core';
import { createBoundedQueue } from '../queues/create-bounded-queue.js';
import type { Tracing } from '../tracing/tracing.js';

/** What the costliest of all stored passwords cost to compare. */
export interface MostCost {
  /** Bcrypt rounds; undefined if all have our own cost. */
  readonly rounds: number | undefined;
  /** Milliseconds for hashes of other systems; undefined if there are none. */
  readonly delayMs: number | undefined;
}

export interface TimedComparison extends PasswordComparison {
  /** How long a refusal must still wait, after it has left the queue, to take as long as that of the costliest foreign hash. */
  readonly waitMs: number;
}

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
   * unknown member takes the same time. A hash of another system is compared before that by its own function.
   * @throws {AppError} `unavailable` if too many are waiting, or the function fails.
   */
  compare(password: string, stored: string | undefined, most: MostCost): Promise<TimedComparison>;
  /** `shed` counts the refused ones. */
  load(): { running: number; waiting: number; shed: number };
}

/** Registrations and password changes may wait this many times longer than logins, which go first. */
const PATIENCE = 3;

/** Foreign hashes may take that many times as long as on a slow machine, because others are computed meanwhile. */
const SLOWEST_PACE = 4;

/** What is left of a slow pace after another comparison. */
const PACE_KEPT = 0.98;

const RETRY_AFTER_SECONDS = 5;

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
  runHashJob: RunHashJob;
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

  // Foreign hashes take longer and more memory, up to 128 MiB each: they leave half of the places to others.
  const foreign = createBoundedQueue({
    fullBecause: FULL,
    ...options,
    concurrency: Math.max(1, Math.floor(options.concurrency / 2)),
  });
  /** How much longer than on a slow machine they took lately. */
  let pace = 1;

  const queued = <Result>(work: () => Promise<Result>, isLogin: boolean): Promise<Result> =>
    hashing.run(async () => {
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        options.onHashed?.((performance.now() - startedMs) / 1000);
      }
    }, isLogin);

  async function matchesForeign(password: string, hash: ForeignHash | undefined): Promise<boolean> {
    if (!hash) return false;
    const startedMs = performance.now();
    const matches = await verifyForeignHash(password, hash, options.runHashJob).catch((error: unknown) => {
      throw new AppError('unavailable', {
        detail: 'the hash of another system cannot be computed',
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    });
    const seen = (performance.now() - startedMs) / (hash.costMs * textsOf(password));
    pace = Math.min(Math.max(seen, pace * PACE_KEPT, 1), SLOWEST_PACE);
    return matches;
  }

  const compare: PasswordHasher['compare'] = (password, stored, { rounds, delayMs = 0 }) => {
    const read = stored === undefined ? undefined : readStoredPassword(stored);
    const hash = read?.kind === 'foreign' ? read.foreign : undefined;
    const askedMs = performance.now();
    const work = () => {
      const waitedMs = performance.now() - askedMs;
      return queued(async () => {
        const startedMs = performance.now();
        const matches = await matchesForeign(password, hash);
        const tookMs = hash ? waitedMs + performance.now() - startedMs : 0;
        const waitMs = Math.max(0, delayMs * textsOf(password) * pace - tookMs);
        return { ...(matches ? { matches } : await comparePassword(password, stored, rounds)), waitMs };
      }, true);
    };
    return hash ? foreign.run(work, true) : work();
  };

  return {
    admit: logins.run,
    load: () => ({
      running: hashing.load.running,
      waiting: hashing.load.waiting + foreign.load.waiting + logins.load.waiting,
      shed: hashing.load.shed + foreign.load.shed + logins.load.shed,
    }),
    hash: (password, { isLogin } = { isLogin: false }) => queued(() => hashPassword(password), isLogin),
    compare,
  };
}

/** How many texts are compared: the password normalized and, if that is another text, as it was sent. */
function textsOf(password: string): number {
  return normalizePassword(password) === password ? 1 : 2;
}

/** A hasher with a span for each hash, including its wait. */
export function tracedPasswords(passwords: PasswordHasher, tracing: Tracing): PasswordHasher {
  return {
    ...passwords,
    hash: (password, options) => tracing.span('password.hash', {}, () => passwords.hash(password, options)),
    compare: (password, stored, most) =>
      tracing.span('password.verify', {}, () => passwords.compare(password, stored, most)),
  };
}
