import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toInstant } from './to-instant.js';

const FARTHEST_MS = 8_640_000_000_000_000;

it('says what Date says', () => {
  const instant = fc.oneof(
    fc.integer({ min: -FARTHEST_MS, max: FARTHEST_MS }),
    fc.date({ noInvalidDate: true }).map(Number),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(instant, { minLength: 1 }), (instants) => {
      for (const ms of [...instants, ...instants]) expect(toInstant(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: 1_000 },
  );
});

it('refuses what no Date can be', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, FARTHEST_MS + 1, -FARTHEST_MS - 1])
    expect(() => toInstant(ms)).toThrow(RangeError);
});
