import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAdmissionQueue } from './admission.js';

describe('an admission queue', () => {
  it('starts a lone request immediately, and a burst in order, a few in each turn', async () => {
    const queue = createAdmissionQueue(2);
    const done: number[] = [];
    for (let index = 0; index < 5; index += 1) queue.enter(() => done.push(index));
    const seen = [done.length];
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      seen.push(done.length);
    }
    expect(seen).toEqual([2, 4, 5, 5]);
    expect(done).toEqual([0, 1, 2, 3, 4]);
    queue.enter(() => done.push(5));
    expect(done).toHaveLength(6);
  });
});
