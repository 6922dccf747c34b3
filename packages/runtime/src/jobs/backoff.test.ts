import { describe, expect, it } from 'vitest';
import { backoffMs } from './job-runner.js';

const BOUNDS = { firstMs: 1_000, longestMs: 60_000 };

describe('the wait before another attempt', () => {
  it('doubles with each failure up to the maximum, a fifth more or less', () => {
    for (const [failures, waitMs] of [
      [1, 1_000],
      [2, 2_000],
      [6, 32_000],
      [7, 60_000],
      [5_000, 60_000],
    ] as const) {
      for (let times = 0; times < 50; times += 1) {
        const wait = backoffMs(BOUNDS, failures);
        expect(wait).toBeGreaterThanOrEqual(waitMs * 0.8);
        expect(wait).toBeLessThanOrEqual(waitMs * 1.2);
        expect(Number.isInteger(wait)).toBe(true);
      }
    }
  });

  it('is not the same for all that failed together', () => {
    const waits = Array.from({ length: 100 }, () => backoffMs(BOUNDS, 7));
    expect(new Set(waits).size).toBeGreaterThan(10);
  });
});
