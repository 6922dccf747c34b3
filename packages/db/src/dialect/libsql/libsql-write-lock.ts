import { DatabaseUnavailableError } from '../../database-errors.js';

/** Runs one body at a time, in the order of the calls. */
interface WriteLock {
  /**
   * @param withinMs how long to wait for the lock, if less than `timeoutMs`
   * @throws DatabaseUnavailableError (`overloaded`) if too many wait, (`timeout`) if the lock is not released
   * in time
   */
  run<Result>(body: () => Promise<Result>, withinMs?: number): Promise<Result>;
  /** Resolves when nobody holds or waits for the lock. */
  idle(): Promise<void>;
}

interface Waiter {
  start: () => void;
  timer: NodeJS.Timeout;
}

/**
 * The embedded database has one writer, so the writers of this process queue here. Between processes only the
 * file's lock decides. So a process pauses for `REST_MS` after `BURST_MS` of writing, and the event loop runs
 * after every body.
 */
export function createWriteLock(queueLimit: number, timeoutMs: number): WriteLock {
  const waiters = new Set<Waiter>();
  let held = false;
  let burstStartedMs = 0;
  let whenIdle: (() => void)[] = [];

  const next = (): void => {
    const [waiter] = waiters;
    if (waiter === undefined) {
      held = false;
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
      return;
    }
    waiters.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.start();
  };

  const release = (): void => {
    if (waiters.size > 0 && performance.now() - burstStartedMs > BURST_MS) {
      setTimeout(() => {
        burstStartedMs = performance.now();
        next();
      }, REST_MS);
    } else {
      setImmediate(next);
    }
  };

  const acquire = (withinMs: number): Promise<void> | undefined => {
    if (!held) {
      held = true;
      burstStartedMs = performance.now();
      return undefined;
    }
    if (waiters.size >= queueLimit) throw new DatabaseUnavailableError('overloaded');
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: resolve,
        timer: setTimeout(
          () => {
            waiters.delete(waiter);
            reject(new DatabaseUnavailableError('timeout'));
          },
          Math.min(timeoutMs, withinMs),
        ),
      };
      waiters.add(waiter);
    });
  };

  return {
    async run(body, withinMs = timeoutMs) {
      await acquire(withinMs);
      try {
        return await body();
      } finally {
        release();
      }
    },
    idle: () => (held ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  };
}

const BURST_MS = 100;

const REST_MS = 6;
