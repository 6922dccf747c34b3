import { AppError, dummyHash, hashPassword, verifyPassword } from '@gatehouse/auth-core';

export interface PasswordHasher {
  /** @throws {AppError} `unavailable` when too many are waiting. */
  hash(password: string): Promise<string>;
  /**
   * Compares by bcrypt; without a stored hash it compares against a dummy of the same cost, so that
   * an unknown member costs the same time, and answers false.
   * @throws {AppError} `unavailable` when too many are waiting.
   */
  verify(password: string, stored: string | undefined): Promise<boolean>;
  /** `shed` counts those that were refused. */
  readonly load: { running: number; waiting: number; shed: number };
}

/**
 * Bounds the hashing: at most `concurrency` at once, at most `queueLimit` waiting, the rest is refused
 * at once, so that a storm of logins neither starves other requests nor piles up.
 */
export function createPasswordHasher(options: {
  concurrency: number;
  queueLimit: number;
  /** Told how long each hash took, without the wait. */
  onHashed?: (seconds: number) => void;
}): PasswordHasher {
  const load = { running: 0, waiting: 0, shed: 0 };
  const queue: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (load.running >= options.concurrency) {
      if (queue.length >= options.queueLimit) {
        load.shed += 1;
        throw new AppError('unavailable', { detail: 'password hashing queue is full', retryAfterSeconds: 5 });
      }
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        load.waiting = queue.length;
      });
    } else {
      load.running += 1;
    }
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      options.onHashed?.((performance.now() - startedMs) / 1000);
      const next = queue.shift();
      load.waiting = queue.length;
      if (next) next();
      else load.running -= 1;
    }
  }

  return {
    load,
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: (password, stored) =>
      inTurn(async () => {
        const matches = await verifyPassword(password, stored ?? dummyHash);
        return matches && stored !== undefined;
      }),
  };
}
