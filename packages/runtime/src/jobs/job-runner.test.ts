import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startJobs } from './job-runner.js';

const SERVICES = { log: { failure: () => undefined }, wakeups: { onWake: () => () => undefined } };
const RUN_MS = 20;

/** Runs a job with a backlog of four runs, and says when each of them began and ended. */
async function runBacklog(restsBetweenRuns: boolean) {
  const runs: { startedAtMs: number; endedAtMs: number }[] = [];
  const run = async () => {
    if (runs.length === 4) return 0;
    const startedAtMs = performance.now();
    await pause(RUN_MS);
    runs.push({ startedAtMs, endedAtMs: performance.now() });
    return 1;
  };
  const runner = startJobs(SERVICES, [{ name: 'backlog', everyMs: 60_000, restsBetweenRuns, run }]);
  await expect.poll(() => runs.length, { timeout: 5_000 }).toBe(4);
  await runner.close();
  return runs;
}

describe('a job with a backlog', () => {
  it('continues at once', async () => {
    const runs = await runBacklog(false);
    const rests = runs.slice(1).map(({ startedAtMs }, at) => startedAtMs - (runs[at]?.endedAtMs ?? 0));
    expect(Math.min(...rests)).toBeLessThan(RUN_MS);
  });

  it('pauses three times as long as each run took, where it may', async () => {
    const runs = await runBacklog(true);
    for (const [at, { startedAtMs }] of runs.slice(1).entries())
      expect(startedAtMs - (runs[at]?.endedAtMs ?? 0)).toBeGreaterThan(2.5 * RUN_MS);
  });

  it('no longer pauses when the runner is closed', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      await pause(500);
      return 1;
    };
    const runner = startJobs(SERVICES, [{ name: 'backlog', everyMs: 60_000, restsBetweenRuns: true, run }]);
    await pause(600);
    const startedAtMs = performance.now();
    await runner.close();
    expect(performance.now() - startedAtMs).toBeLessThan(400);
    expect(runs).toBe(1);
  });
});
