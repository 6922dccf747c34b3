import { AppError } from '@gatehouse/auth-core';
import { describe, expect, it } from 'vitest';
import { createTurns } from './create-turns.js';

/** Work that ends when it is told to, and notes that it has begun. */
function slowWork(begun: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    begun.push(name);
    await ended;
  };
  return { work, end };
}

describe('turns', () => {
  it('are given in the order of asking, to what is urgent first, so many at once', async () => {
    const turns = createTurns({ concurrency: 1, queueLimit: 10, longestWaitMs: 60_000 });
    const begun: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => slowWork(begun, name));
    if (!first || !second || !third) throw new Error('three of them');
    const all = [turns.take(first.work), turns.take(second.work), turns.take(third.work, true)];
    expect([begun, turns.load]).toEqual([['first'], { running: 1, waiting: 2, shed: 0 }]);
    for (const { end } of [first, third, second]) end();
    await Promise.all(all);
    expect(begun).toEqual(['first', 'third', 'second']);
    expect(turns.load).toEqual({ running: 0, waiting: 0, shed: 0 });
  });

  it('are refused at once when too many wait, and after a while to those who wait too long', async () => {
    const turns = createTurns({ concurrency: 1, queueLimit: 1, longestWaitMs: 20 });
    const { work, end } = slowWork([], 'one');
    const running = turns.take(work);
    const refusal = (each: Promise<unknown>) => each.then(() => undefined).catch((error: unknown) => error);
    const waiting = refusal(turns.take(() => Promise.resolve()));
    const refusals = [await refusal(turns.take(() => Promise.resolve())), await waiting];
    for (const error of refusals) expect(error).toBeInstanceOf(AppError);
    expect(refusals).toMatchObject([
      { code: 'unavailable', retryAfterSeconds: 5 },
      { code: 'unavailable', retryAfterSeconds: 5 },
    ]);
    end();
    await running;
    expect(turns.load).toEqual({ running: 0, waiting: 0, shed: 2 });
    await expect(turns.take(() => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('go on when work fails', async () => {
    const turns = createTurns({ concurrency: 1, queueLimit: 5, longestWaitMs: 60_000 });
    const failing = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
    expect(turns.load.running).toBe(0);
  });
});
