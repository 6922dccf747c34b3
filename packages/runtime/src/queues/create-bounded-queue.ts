import { AppError } from '@gatehouse/auth-core';

export interface BoundedQueue {
  /**
   * Runs the work when there is capacity, in the order of the calls. Urgent work goes first and does not use up the queue limit:
   * the caller limits it.
   * @throws {AppError} `unavailable` if too many wait, or it has waited too long.
   */
  run<Result>(work: () => Promise<Result>, isUrgent?: boolean): Promise<Result>;
  /** `shed` counts the refused ones. */
  readonly load: { running: number; waiting: number; shed: number };
}

const RETRY_AFTER_SECONDS = 5;

/**
 * A queue that runs `concurrency` pieces of work at once and lets `queueLimit` more wait. It refuses the rest
 * at once.
 */
export function createBoundedQueue(options: {
  concurrency: number;
  queueLimit: number;
  longestWaitMs: number;
  /** The log's detail for refused callers. */
  fullBecause: string;
  /** When refused callers may try again; five seconds by default. */
  retryAfterSeconds?: number;
}): BoundedQueue {
  const load = { running: 0, waiting: 0, shed: 0 };
  const urgent = new Set<() => void>();
  const ordinary = new Set<() => void>();

  function shed(): AppError {
    load.shed += 1;
    return new AppError('unavailable', {
      detail: options.fullBecause,
      retryAfterSeconds: options.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    });
  }

  function wait(queue: Set<() => void>): Promise<void> {
    if (queue === ordinary && load.waiting >= options.queueLimit) throw shed();
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        leave();
        resolve();
      };
      const leave = () => {
        queue.delete(start);
        load.waiting = urgent.size + ordinary.size;
      };
      const timer = setTimeout(() => {
        leave();
        reject(shed());
      }, options.longestWaitMs);
      queue.add(start);
      load.waiting = urgent.size + ordinary.size;
    });
  }

  return {
    load,
    async run(work, isUrgent = false) {
      if (load.running >= options.concurrency) await wait(isUrgent ? urgent : ordinary);
      else load.running += 1;
      try {
        return await work();
      } finally {
        const [next] = urgent.size > 0 ? urgent : ordinary;
        if (next) next();
        else load.running -= 1;
      }
    },
  };
}
