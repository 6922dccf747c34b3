import { describe, expect, it } from 'vitest';
import { runHashJob } from './run-hash-job.js';

const job = {
  kind: 'phpass',
  password: Buffer.from('Lantern-Harbor-42'),
  salt: Buffer.from('saltsalt'),
  rounds: 128,
} as const;

describe('the worker of password hashes', () => {
  it('answers each of many concurrent jobs with its own key', async () => {
    const jobs = Array.from({ length: 20 }, (_, at) => ({ ...job, rounds: 128 + at }));
    const together = await Promise.all(jobs.map(runHashJob));
    for (const [at, each] of jobs.entries()) expect(await runHashJob(each)).toEqual(together[at]);
    expect(new Set(together.map((key) => key.toString('hex'))).size).toBe(20);
  });

  it('fails every waiting job when one breaks it, and is replaced for the next', async () => {
    const broken = Object.assign({}, job, { password: 7 });
    const outcomes = await Promise.allSettled([runHashJob(broken), runHashJob({ ...job, rounds: 2 ** 19 })]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await runHashJob(job)).toHaveLength(16);
  });
});
