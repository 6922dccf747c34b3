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

/** The result of a comparison with the hash of another system. */
export interface ForeignComparison {
  readonly matches: boolean;
  /** The hash cannot be computed, so nothing was compared. */
  readonly failure?: AppError;
}

export interface PasswordHasher {
  /**
   * Runs a login when the queue admits it, before any database query. `isUrgent` marks the rest of one that was admitted before.
   * @throws {AppError} `unavailable` if too many are waiting, or it has waited too long.
   */
  admit<Result>(login: () => Promise<Result>, isUrgent?: boolean): Promise<Result>;
  /**
   * `isLogin` marks the hash of an admitted login.
   * @throws {AppError} `unavailable` if too many are waiting.
   */
  hash(password: string, options?: { readonly isLogin: boolean }): Promise<string>;
  /**
   * Compares by bcrypt with the same number of rounds for every stored value, and even without one. An
   * unknown member takes the same time. A hash of another system matches nothing here.
   * @throws {AppError} `unavailable` if too many are waiting.
   */
  compare(
    password: string,
    stored: string | undefined,
    rounds: number | undefined,
  ): Promise<PasswordComparison>;
  /**
   * Compares a password that did not match by `compare` with the hash of another system, when the login has left its queue. Whatever is
   * stored, it waits for a turn and, unless it matches, takes as long as the costliest of these hashes.
   * @param delayMs how long a slow machine takes for that one
   * @throws {AppError} `unavailable` if too many are waiting, whatever is stored.
   */
  compareForeign(password: string, stored: string | undefined, delayMs: number): Promise<ForeignComparison>;
  /** `shed` counts the refused ones. */
  load(): { running: number; waiting: number; shed: number };
}

/** All others may wait this many times longer than logins, which go first. */
const PATIENCE = 3;

/** More would wait for each other in the one worker, and take longer than assumed. */
const MOST_FOREIGN = 2;

/** Foreign hashes may take that many times as long as on a slow machine, because other hashes are computed at the same time. */
const SLOWEST_PACE = 4;

/** The half-life with which a slow pace is forgotten. */
const PACE_HALF_LIFE_MS = 60_000;

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

  // Foreign hashes take longer and more memory, up to 128 MiB each: they leave half of the places of hashing to others.
  const foreign = createBoundedQueue({
    fullBecause: FULL,
    ...options,
    longestWaitMs: PATIENCE * options.longestWaitMs,
    concurrency: Math.min(Math.max(1, Math.floor(options.concurrency / 2)), MOST_FOREIGN),
  });
  /** How much longer than on a slow machine they took, and when. */
  let slowest = { pace: 1, atMs: 0 };

  const paceAt = (nowMs: number) =>
    Math.max(1, slowest.pace * 2 ** ((slowest.atMs - nowMs) / PACE_HALF_LIFE_MS));

  async function timed<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      options.onHashed?.((performance.now() - startedMs) / 1000);
    }
  }

  async function verify(password: string, hash: ForeignHash): Promise<ForeignComparison> {
    const startedMs = performance.now();
    try {
      const matches = await verifyForeignHash(password, hash, options.runHashJob);
      const endedMs = performance.now();
      const seen = (endedMs - startedMs) / (hash.costMs * textsOf(password));
      slowest = { pace: Math.min(Math.max(seen, paceAt(endedMs)), SLOWEST_PACE), atMs: endedMs };
      return { matches };
    } catch (error) {
      const failure = new AppError('unavailable', {
        detail: 'the hash of another system cannot be computed',
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
      return { matches: false, failure };
    }
  }

  return {
    admit: logins.run,
    load: () => ({
      running: hashing.load.running,
      waiting: hashing.load.waiting + foreign.load.waiting + logins.load.waiting,
      shed: hashing.load.shed + foreign.load.shed + logins.load.shed,
    }),
    hash: (password, { isLogin } = { isLogin: false }) =>
      hashing.run(() => timed(() => hashPassword(password)), isLogin),
    compare: (password, stored, rounds) =>
      hashing.run(() => timed(() => comparePassword(password, stored, rounds)), true),
    compareForeign: (password, stored, delayMs) => {
      const read = stored === undefined ? undefined : readStoredPassword(stored);
      const hash = read?.kind === 'foreign' ? read.foreign : undefined;
      return foreign.run(async () => {
        const { wait, compared } = await hashing.run(
          async () => ({
            // It begins before the comparison, so that all end in the same way: one that only filled up the time would end at
            // another fraction of a millisecond.
            wait: startWait(delayMs * textsOf(password) * paceAt(performance.now())),
            compared: hash ? await timed(() => verify(password, hash)) : { matches: false },
          }),
          true,
        );
        if (compared.matches || compared.failure !== undefined) wait.cancel();
        else await wait.over;
        return compared;
      });
    },
  };
}

function startWait(ms: number): { readonly over: Promise<void>; readonly cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { over, cancel: () => clearTimeout(timer) };
}

/** How many texts are compared: the normalized password and, if that is a different text, the password as it was sent. */
function textsOf(password: string): number {
  return normalizePassword(password) === password ? 1 : 2;
}

/** A hasher with a span for each hash, including its wait. */
export function tracedPasswords(passwords: PasswordHasher, tracing: Tracing): PasswordHasher {
  return {
    ...passwords,
    hash: (password, options) => tracing.span('password.hash', {}, () => passwords.hash(password, options)),
    compare: (password, stored, rounds) =>
      tracing.span('password.verify', {}, () => passwords.compare(password, stored, rounds)),
    compareForeign: (password, stored, delayMs) =>
      tracing.span('password.verifyForeign', {}, () => passwords.compareForeign(password, stored, delayMs)),
  };
}
