import { dummyHash, type RunHashJob } from '@gatehouse/auth-core';
import { describe, expect, it } from 'vitest';
import { createPasswordHasher } from './password-hasher.js';
import { runHashJob } from './run-hash-job.js';

const STORED = `$foreign$phpass$$P$5saltsalt${'.'.repeat(22)}`;

const hasher = (run: RunHashJob, concurrency = 4) =>
  createPasswordHasher({ concurrency, queueLimit: 100, longestWaitMs: 10_000, runHashJob: run });

const most = { rounds: undefined, delayMs: 5000 };

describe('a comparison with the hash of another system', () => {
  it('is unavailable, and matches nothing, while the hash cannot be computed', async () => {
    const passwords = hasher(() => Promise.reject(new Error('no memory')));
    await expect(passwords.compare('x', STORED, most)).rejects.toMatchObject({ code: 'unavailable' });
    expect(passwords.load()).toMatchObject({ running: 0, waiting: 0 });
    expect(await passwords.compare('x', dummyHash, most)).toMatchObject({ matches: false });
  });

  it('leaves half of the places to others', async () => {
    let running = 0;
    let mostRunning = 0;
    const passwords = hasher(async (job) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      const key = await runHashJob(job);
      running -= 1;
      return key;
    });
    await Promise.all(Array.from({ length: 12 }, () => passwords.compare('x', STORED, most)));
    expect(mostRunning).toBe(2);
  });

  it('leaves as much of the wait as it has not taken, of which a text in another normal form needs twice', async () => {
    const passwords = hasher(runHashJob);
    const { waitMs } = await passwords.compare('x', STORED, most);
    expect(waitMs).toBeGreaterThan(1000);
    expect(waitMs).toBeLessThan(5000);
    expect(await passwords.compare('x', dummyHash, most)).toMatchObject({ waitMs: 5000 });
    expect(await passwords.compare('e\u0301', undefined, most)).toMatchObject({ waitMs: 10_000 });
    const none = { rounds: undefined, delayMs: undefined };
    expect(await passwords.compare('x', dummyHash, none)).toMatchObject({ waitMs: 0 });
  });

  it('makes refusals wait longer where it takes longer than on a slow machine', async () => {
    const passwords = hasher(async (job) => {
      const key = await runHashJob(job);
      await new Promise((resolve) => {
        setTimeout(resolve, 150);
      });
      return key;
    });
    await passwords.compare('x', STORED, most);
    expect((await passwords.compare('x', undefined, most)).waitMs).toBeGreaterThan(10_000);
  });
});
