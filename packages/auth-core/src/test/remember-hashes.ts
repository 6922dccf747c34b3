import bcrypt from 'bcrypt';
import { afterAll, beforeAll, expect } from 'vitest';
import { known } from './known-hashes.js';
import './reuse-keys.js';

/**
 * Setup of tests that use the same few passwords again and again: in a worker, bcrypt compares each of them with a hash once, and
 * makes three hashes of each. All of these took a fifth of the suite's time. Stress tests, which measure time and test races,
 * make every one.
 */
const { compare, hash } = bcrypt;

beforeAll(() => {
  // oxlint-disable-next-line vitest/no-standalone-expect -- it only asks which file runs
  if (expect.getState().testPath?.includes('.stress.')) return;
  Object.assign(bcrypt, {
    compare: remembering<string>('compare', compare),
    hash: remembering<string | number>('hash', hash),
  });
});

afterAll(() => Object.assign(bcrypt, { compare, hash }));

/** The argument is a salt or a hash, or the cost of a hash with a new salt. */
type Work<Given> = (data: string | Buffer, given: Given) => Promise<unknown>;

/** How many salts a password has at one cost, so that its next hash is never the same as the last. */
const SALTS = 3;
const timesAsked = new Map<string, number>();

function remembering<Given extends string | number>(name: string, work: Work<Given>): Work<Given> {
  return (data, given) => {
    const asked = JSON.stringify([name, data, given]);
    const times = timesAsked.get(asked) ?? 0;
    timesAsked.set(asked, times + 1);
    const key = typeof given === 'number' ? `${asked} ${times % SALTS}` : asked;
    const result = known.get(key) ?? work(data, given);
    known.set(key, result);
    return result;
  };
}
