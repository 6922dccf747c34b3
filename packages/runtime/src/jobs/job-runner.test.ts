import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startJobs } from './job-runner.js';

const SERVICES = { log: { failure: () => undefined }, wakeups: { onWake: () => () => undefined } };
const TURN_MS = 20;

/** Runs a job with a backlog of four turns, and says when each of them began and ended. */
async function runBacklog(restsBetweenTurns: boolean) {
  const turns: { startedAtMs: number; endedAtMs: number }[] = [];
  const run = async () => {
    if (turns.length === 4) return 0;
    const startedAtMs = performance.now();
    await pause(TURN_MS);
    turns.push({ startedAtMs, endedAtMs: performance.now() });
    return 1;
  };
  const runner = startJobs(SERVICES, [{ name: 'backlog', everyMs: 60_000, restsBetweenTurns, run }]);
  await expect.poll(() => turns.length, { timeout: 5_000 }).toBe(4);
  await runner.close();
  return turns;
}

describe('a job with a backlog', () => {
  it('goes on at once', async () => {
    const turns = await runBacklog(false);
    const rests = turns.slice(1).map(({ startedAtMs }, at) => startedAtMs - (turns[at]?.endedAtMs ?? 0));
    expect(Math.min(...rests)).toBeLessThan(TURN_MS);
  });

  it('rests three times as long as each turn took, where it may', async () => {
    const turns = await runBacklog(true);
    for (const [at, { startedAtMs }] of turns.slice(1).entries())
      expect(startedAtMs - (turns[at]?.endedAtMs ?? 0)).toBeGreaterThan(2.5 * TURN_MS);
  });

  it('rests no longer when the runner is closed', async () => {
    let turns = 0;
    const run = async () => {
      turns += 1;
      await pause(500);
      return 1;
    };
    const runner = startJobs(SERVICES, [{ name: 'backlog', everyMs: 60_000, restsBetweenTurns: true, run }]);
    await pause(600);
    const startedAtMs = performance.now();
    await runner.close();
    expect(performance.now() - startedAtMs).toBeLessThan(400);
    expect(turns).toBe(1);
  });
});
