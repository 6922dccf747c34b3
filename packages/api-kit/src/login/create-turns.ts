import { AppError } from '@gatehouse/auth-core';

export interface Turns {
  /**
   * Runs the work when its turn comes, in the order of asking.
   * @throws {AppError} `unavailable` when too many wait, or it has waited too long.
   */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
  /** `shed` counts those that were refused. */
  readonly load: { running: number; waiting: number; shed: number };
}

const RETRY_AFTER_SECONDS = 5;

/** Lets so many run at once and so many wait, none for longer than they would want to; the rest is refused at once. */
export function createTurns(options: {
  concurrency: number;
  queueLimit: number;
  longestWaitMs: number;
}): Turns {
  const load = { running: 0, waiting: 0, shed: 0 };
  const queue = new Set<() => void>();

  function shed(): AppError {
    load.shed += 1;
    return new AppError('unavailable', {
      detail: 'too many wait for a password to be hashed',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  function wait(): Promise<void> {
    if (queue.size >= options.queueLimit) throw shed();
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        leave();
        resolve();
      };
      const leave = () => {
        queue.delete(start);
        load.waiting = queue.size;
      };
      const timer = setTimeout(() => {
        leave();
        reject(shed());
      }, options.longestWaitMs);
      queue.add(start);
      load.waiting = queue.size;
    });
  }

  return {
    load,
    async take(work) {
      if (load.running >= options.concurrency) await wait();
      else load.running += 1;
      try {
        return await work();
      } finally {
        const [next] = queue;
        if (next) next();
        else load.running -= 1;
      }
    },
  };
}
