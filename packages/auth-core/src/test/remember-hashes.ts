import bcrypt from 'bcrypt';
import { afterAll, beforeAll, expect } from 'vitest';
import { known } from './known-hashes.js';

/**
 * Setup of tests that sign in again and again with the same few passwords: bcrypt works each of them out once for a worker, which
 * is a tenth of the time of the suite. Stress tests, which measure time and hold races, work out every one.
 */
const { compare, hash } = bcrypt;

beforeAll(() => {
  // oxlint-disable-next-line vitest/no-standalone-expect -- it only asks which file runs
  if (expect.getState().testPath?.includes('.stress.')) return;
  Object.assign(bcrypt, { compare: remembering('compare', compare), hash: remembering('hash', hash) });
});

afterAll(() => Object.assign(bcrypt, { compare, hash }));

type Work = (data: string | Buffer, given: string) => Promise<unknown>;

/** A number instead of a salt asks for a new salt each time, so there is nothing to remember. */
function remembering(name: string, work: Work): Work {
  return (data, given) => {
    if (typeof given !== 'string') return work(data, given);
    const key = JSON.stringify([name, data, given]);
    const result = known.get(key) ?? work(data, given);
    known.set(key, result);
    return result;
  };
}
