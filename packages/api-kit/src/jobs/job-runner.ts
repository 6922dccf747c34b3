import { randomInt } from 'node:crypto';
import type { Kit } from '../kit.js';
import type { Job } from './job.js';

export interface JobRunner {
  /** Lets every turn under way finish; no other begins. */
  close(): Promise<void>;
}

/** After a turn that failed a job waits this long, doubled at each failure in a row. */
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 60_000;

/** Runs jobs side by side until it is closed, each one turn at a time. */
export function startJobs(kit: Kit, jobs: readonly Job[]): JobRunner {
  const stop = new AbortController();
  const loops = jobs.map((job) => loop(kit, job, stop.signal));
  return {
    async close() {
      stop.abort();
      await Promise.all(loops);
    },
  };
}

async function loop(kit: Kit, job: Job, signal: AbortSignal): Promise<void> {
  const bell = createBell(signal);
  const stopListening = kit.wakeups.onWake(job.name, bell.ring);
  let failures = 0;
  while (!signal.aborted) {
    bell.reset();
    try {
      const done = await job.run(kit);
      failures = 0;
      if (done === 0) await bell.rungWithin(withJitter(job.everyMs));
    } catch (error) {
      kit.log.failure(`job ${job.name}`, error);
      await bell.rungWithin(withJitter(Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS)));
      failures += 1;
    }
  }
  stopListening();
}

/** Spreads the turns of many nodes: between three quarters and all of the time given. */
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
