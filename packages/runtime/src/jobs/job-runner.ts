import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { isOutage } from '@gatehouse/db/database-errors';
import type { Logger } from '../log/log.js';

/**
 * Background work. Any number of nodes may run the same job. It claims its work by a conditional update with a
 * lease, so the work of a node that dies becomes free again.
 */
export interface Job<Services> {
  readonly name: string;
  /** The wait after a turn in which there was no work, in milliseconds. */
  readonly everyMs: number;
  /**
   * After a run with work it pauses three times as long as that took, so that a long backlog slows requests little. For work for
   * which nobody waits.
   */
  readonly restsBetweenRuns?: boolean;
  /** Runs one turn and returns how much was done. While there is more, the next turn follows. */
  readonly run: (services: Services) => Promise<number>;
}

/** Limits of the waits between attempts, in milliseconds. */
interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** A fifth more or less, so that work which failed together is not retried together. */
const PER_MILLE_FROM = 800;

const PER_MILLE_UNTIL = 1200;

/**
 * The wait before the next attempt, in milliseconds. It begins with the first one and doubles with each
 * further failure up to the longest, with jitter.
 * @param failures in a row, from 1
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  const waitMs = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round((waitMs * randomInt(PER_MILLE_FROM, PER_MILLE_UNTIL + 1)) / 1000);
}

/** Lets a procedure wake a job early when there is work. */
export interface Wakeups {
  wake(job: string): void;
  /** @returns a function that stops listening */
  onWake(job: string, listener: () => void): () => void;
}

export function createWakeups(): Wakeups {
  const listeners = new Map<string, Set<() => void>>();
  return {
    wake(job) {
      for (const listener of listeners.get(job) ?? []) listener();
    },
    onWake(job, listener) {
      const set = listeners.get(job) ?? new Set();
      listeners.set(job, set.add(listener));
      return () => set.delete(listener);
    },
  };
}

/** The services the runner itself uses. */
interface JobServices {
  readonly log: Pick<Logger, 'failure'>;
  readonly wakeups: Pick<Wakeups, 'onWake'>;
}

export interface JobRunner {
  /** Waits for the current turns to finish, and starts no more. */
  close(): Promise<void>;
}

/** The waits after failed turns. */
const RETRIES = { firstMs: 500, longestMs: 60_000 };

/** How long a pausing job pauses, as a multiple of the previous run. */
const REST_PER_RUN = 3;

/** Runs jobs concurrently until it is closed, one turn of each at a time. */
export function startJobs<Services extends JobServices>(
  services: Services,
  jobs: readonly Job<Services>[],
): JobRunner {
  const stop = new AbortController();
  // Each job adds a listener.
  setMaxListeners(0, stop.signal);
  const loops = jobs.map((job) => loop(services, job, stop.signal));
  return {
    async close() {
      stop.abort();
      await Promise.all(loops);
    },
  };
}

async function loop<Services extends JobServices>(
  services: Services,
  job: Job<Services>,
  signal: AbortSignal,
): Promise<void> {
  const bell = createBell(signal);
  const stopListening = services.wakeups.onWake(job.name, bell.ring);
  let failures = 0;
  while (!signal.aborted) {
    bell.reset();
    const startedAtMs = performance.now();
    try {
      const done = await job.run(services);
      failures = 0;
      if (done === 0) await bell.rungWithin(withJitter(job.everyMs));
      else if (job.restsBetweenRuns === true)
        await bell.rungWithin(REST_PER_RUN * (performance.now() - startedAtMs));
    } catch (error) {
      // Logs an outage of the database once for all jobs.
      if (!isOutage(error)) services.log.failure(`job ${job.name}`, error);
      failures += 1;
      await bell.rungWithin(backoffMs(RETRIES, failures));
    }
  }
  stopListening();
}

/** Spreads the turns of many nodes over time: three quarters to all of the given wait. */
function withJitter(ms: number): number {
  return Math.round((ms * randomInt(750, 1001)) / 1000);
}

function createBell(signal: AbortSignal) {
  let isRung = false;
  let onRing: (() => void) | undefined;
  const ring = () => {
    isRung = true;
    onRing?.();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    reset() {
      isRung = signal.aborted;
    },
    rungWithin(ms: number): Promise<void> {
      if (isRung) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, ms);
        onRing = done;
        function done() {
          clearTimeout(timer);
          onRing = undefined;
          resolve();
        }
      });
    },
  };
}
