import { afterEach, describe, expect, it, vi } from 'vitest';
import { rounds } from './rounds.js';

describe('the size of a test of several rounds', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is the small one in the suite', () => {
    vi.stubEnv('GATEHOUSE_STRESS', undefined);
    expect(rounds({ suite: 5, stress: 1000 })).toBe(5);
  });

  it('is the full one under pnpm test:stress', () => {
    vi.stubEnv('GATEHOUSE_STRESS', '1');
    expect(rounds({ suite: 5, stress: 1000 })).toBe(1000);
  });

  it('is the small one for any other value of the switch', () => {
    vi.stubEnv('GATEHOUSE_STRESS', 'yes');
    expect(rounds({ suite: 5, stress: 1000 })).toBe(5);
  });

  it.each([
    [0, 10],
    [5, 4],
    [1.5, 3],
    [1, Number.NaN],
  ])('may not be %d and %d', (suite, stress) => {
    expect(() => rounds({ suite, stress })).toThrow(RangeError);
  });
});
