import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { isOutage } from '@gatehouse/db/database-errors';
import type { Logger } from '../log/log.js';
import { backoffMs } from './backoff.js';
import type { Job } from './job.js';
import type { Wakeups } from './wakeups.js';

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

/** How long a job that rests does so, in lengths of the run before. */
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
