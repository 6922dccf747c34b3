import { afterEach, describe, expect, it, vi } from 'vitest';
import { rounds } from './rounds.js';

describe('rounds', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('takes the small size in the suite', () => {
    vi.stubEnv('GATEHOUSE_PROVE', undefined);
    expect(rounds({ suite: 5, prove: 1000 })).toBe(5);
  });

  it('takes the full size under pnpm prove', () => {
    vi.stubEnv('GATEHOUSE_PROVE', '1');
    expect(rounds({ suite: 5, prove: 1000 })).toBe(1000);
  });

  it('takes the small size for any other value of the switch', () => {
    vi.stubEnv('GATEHOUSE_PROVE', 'yes');
    expect(rounds({ suite: 5, prove: 1000 })).toBe(5);
  });

  it.each([
    [0, 10],
    [5, 4],
    [1.5, 3],
    [1, Number.NaN],
  ])('refuses the sizes %d and %d', (suite, prove) => {
    expect(() => rounds({ suite, prove })).toThrow(RangeError);
  });
});
