import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import { addToLimit, consumeLimit, findLimit } from './limits.js';

const dialect = inject('dialect');

const WINDOW_MS = 1_000;

describe('a counter that restarts when its window ends', () => {
  it('gives its points once per window, and begins the next window with one point taken', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const take = (nowMs: number) => consumeLimit(db, { key: 'k', most: 2, windowMs: WINDOW_MS, nowMs });
    expect([await take(10_000), await take(10_001), await take(10_002)]).toEqual([true, true, false]);
    expect(await findLimit(db, 'k')).toEqual({ points: 2, endsAtMs: 11_000 });
    // The window is over at its end, not after it.
    expect(await take(10_999)).toBe(false);
    expect(await take(11_000)).toBe(true);
    expect(await findLimit(db, 'k')).toEqual({ points: 1, endsAtMs: 12_000 });
    expect([await take(11_001), await take(11_002)]).toEqual([true, false]);
    expect(await findLimit(db, 'k')).toEqual({ points: 2, endsAtMs: 12_000 });
  });

  it('gives no more than its points to concurrent calls that find the window ended', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    for (const nowMs of [10_000, 11_000, 12_000]) {
      const call = () => consumeLimit(db, { key: 'k', most: 3, windowMs: WINDOW_MS, nowMs });
      const taken = await Promise.all(Array.from({ length: 20 }, call));
      expect(taken.filter(Boolean)).toHaveLength(3);
    }
  });

  it('adds points in a window, and counts only these in the next', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const add = (points: number, nowMs: number) =>
      addToLimit(db, { key: 'k', points, windowMs: WINDOW_MS, nowMs });
    expect([await add(5, 10_000), await add(2, 10_500), await add(4, 11_000)]).toEqual([5, 7, 4]);
    expect(await findLimit(db, 'k')).toEqual({ points: 4, endsAtMs: 12_000 });
    await Promise.all(Array.from({ length: 10 }, () => add(3, 12_000)));
    expect(await findLimit(db, 'k')).toEqual({ points: 30, endsAtMs: 13_000 });
  });
});
