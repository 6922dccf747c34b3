import { dummyHash, type RunHashJob } from '@gatehouse/auth-core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.js';
import { runHashJob } from './run-hash-job.js';

/** A slow machine takes 50.5 ms for it. */
const FOREIGN = `$foreign$phpass$$P$5saltsalt${'.'.repeat(22)}`;

/** Each kind of stored password that a wrong password can meet. */
const KINDS = { unknown: undefined, bcrypt: dummyHash, foreign: FOREIGN };

const DELAY_MS = 1000;

const hasher = (run: RunHashJob, limits: Partial<Parameters<typeof createPasswordHasher>[0]> = {}) =>
  createPasswordHasher({
    concurrency: 3,
    queueLimit: 100,
    longestWaitMs: 10_000,
    runHashJob: run,
    ...limits,
  });

/** Takes that many milliseconds for a wrong key. */
const slowJob = (ms: number) => () =>
  new Promise<Buffer>((resolve) => {
    setTimeout(() => {
      resolve(Buffer.alloc(16, 1));
    }, ms);
  });

/** Stops the clock, so that it only moves by `vi.advanceTimers…`. Bcrypt takes its own time. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** Sends wrong passwords at once, as logins do, and returns when or by what error each is refused. */
async function burst(passwords: PasswordHasher, stored: string | undefined, count: number) {
  const startedMs = performance.now();
  const refused: (number | string)[] = [];
  let comparing = count;
  for (let at = 0; at < count; at += 1)
    void passwords
      .admit(() => passwords.compare('x', stored, undefined))
      .then(({ matches }) => {
        expect(matches).toBe(false);
        comparing -= 1;
        return passwords.compareForeign('x', stored, DELAY_MS);
      })
      .then(
        ({ matches }) => refused.push(matches ? 'matches' : performance.now() - startedMs),
        (error: unknown) => refused.push((error as { code: string }).code),
      );
  while (comparing > 0) await new Promise(setImmediate);
  while (refused.length < count) await vi.advanceTimersByTimeAsync(10);
  return refused;
}

describe('a burst of wrong passwords', () => {
  it.each(Object.entries(KINDS))(
    'is refused one after the other, equally late for the %s',
    async (_, stored) => {
      stopClock();
      const passwords = hasher(slowJob(45));
      expect(await burst(passwords, stored, 5)).toEqual([1000, 2000, 3000, 4000, 5000]);
      expect(passwords.load()).toEqual({ running: 0, waiting: 0, shed: 0 });
    },
  );

  it.each(Object.entries(KINDS))('gets 503 when too many wait, also for the %s', async (_, stored) => {
    stopClock();
    expect(await burst(hasher(slowJob(45), { queueLimit: 2 }), stored, 5)).toEqual([
      'unavailable',
      'unavailable',
      1000,
      2000,
      3000,
    ]);
  });

  it.each(Object.entries(KINDS))('gets 503 when it waits too long, also for the %s', async (_, stored) => {
    stopClock();
    expect(await burst(hasher(slowJob(45), { longestWaitMs: 500 }), stored, 4)).toEqual([
      1000,
      'unavailable',
      'unavailable',
      2000,
    ]);
  });
});

describe('a comparison with the hash of another system', () => {
  it('fails, and matches nothing, while the hash cannot be computed', async () => {
    const passwords = hasher(() => Promise.reject(new Error('no memory')));
    expect(await passwords.compareForeign('x', FOREIGN, DELAY_MS)).toMatchObject({
      matches: false,
      failure: { code: 'unavailable' },
    });
    expect(passwords.load()).toMatchObject({ running: 0, waiting: 0 });
    expect(await passwords.compareForeign('x', dummyHash, 1)).toEqual({ matches: false });
  });

  it.each([
    [1, 1],
    [3, 1],
    [4, 2],
    [12, 2],
  ])('leaves at least half of %d places to others, and takes %d', async (concurrency, most) => {
    let running = 0;
    let mostRunning = 0;
    const passwords = hasher(
      async (job) => {
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        const key = await runHashJob(job);
        running -= 1;
        return key;
      },
      { concurrency },
    );
    await Promise.all(Array.from({ length: 12 }, () => passwords.compareForeign('x', FOREIGN, 1)));
    expect(mostRunning).toBe(most);
  });

  it('delays no other login, however many comparisons there are', async () => {
    let release: (key: Buffer) => void = () => undefined;
    const released = new Promise<Buffer>((resolve) => {
      release = resolve;
    });
    const passwords = hasher(() => released);
    const logIn = async (stored: string) => {
      await passwords.admit(() => passwords.compare('x', stored, undefined));
      return stored === FOREIGN ? passwords.compareForeign('x', stored, 1) : undefined;
    };
    const isDone = { foreign: false };
    const foreign = Array.from({ length: 14 }, () =>
      logIn(FOREIGN).finally(() => {
        isDone.foreign = true;
      }),
    );
    await Promise.all(Array.from({ length: 14 }, () => logIn(dummyHash)));
    expect(isDone.foreign).toBe(false);
    expect(passwords.load()).toMatchObject({ running: 1, waiting: 13 });
    release(Buffer.alloc(16, 1));
    for (const compared of await Promise.all(foreign)) expect(compared).toEqual({ matches: false });
  });

  it('does not wait if it matches, and takes twice as long for a text in another Unicode form', async () => {
    stopClock();
    const took = async (password: string, stored: string | undefined, run: RunHashJob) => {
      const startedMs = performance.now();
      const compared = hasher(run).compareForeign(password, stored, DELAY_MS);
      await vi.runAllTimersAsync();
      return [(await compared).matches, performance.now() - startedMs];
    };
    expect(await took('x', FOREIGN, () => Promise.resolve(Buffer.alloc(16)))).toEqual([true, 0]);
    for (const stored of Object.values(KINDS)) {
      expect(await took('x', stored, slowJob(45))).toEqual([false, 1000]);
      expect(await took('e\u0301', stored, slowJob(45))).toEqual([false, 2000]);
    }
  });

  it('starts its wait before it computes, so that the wait ends at the same time for every kind', async () => {
    stopClock();
    const timers: number[] = [];
    const passwords = hasher(() => {
      timers.push(vi.getTimerCount());
      return Promise.resolve(Buffer.alloc(16, 1));
    });
    const compared = passwords.compareForeign('x', FOREIGN, DELAY_MS);
    await vi.runAllTimersAsync();
    expect([(await compared).matches, timers]).toEqual([false, [1]]);
    expect(
      (await hasher(() => Promise.resolve(Buffer.alloc(16))).compareForeign('x', FOREIGN, 1)).matches,
    ).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('makes refusals wait longer when it took longer than on a slow machine, and shorter again with time', async () => {
    stopClock();
    const passwords = hasher(slowJob(1000));
    const took = async (stored: string | undefined) => {
      const startedMs = performance.now();
      const compared = passwords.compareForeign('x', stored, DELAY_MS);
      let isDone = false;
      void compared.then(() => {
        isDone = true;
      });
      while (!isDone) await vi.advanceTimersToNextTimerAsync();
      return performance.now() - startedMs;
    };
    expect(await took(undefined)).toBe(1000);
    expect(await took(FOREIGN)).toBe(1000);
    expect(await took(undefined)).toBe(4000);
    await vi.advanceTimersByTimeAsync(56_000);
    expect(await took(undefined)).toBeCloseTo(2000, 0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await took(undefined)).toBe(1000);
  });
});
