import { AppError } from '@gatehouse/auth-core';
import { describe, expect, it } from 'vitest';
import { createBoundedQueue } from './create-bounded-queue.js';

/** Work that ends on command, and records that it began. */
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

describe('a bounded queue', () => {
  it('starts urgent work first, otherwise in the order of arrival, with a limited number at a time', async () => {
    const queue = createBoundedQueue({
      concurrency: 1,
      queueLimit: 10,
      longestWaitMs: 60_000,
      fullBecause: 'it is full',
    });
    const begun: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => slowWork(begun, name));
    if (!first || !second || !third) throw new Error('three of them');
    const all = [queue.run(first.work), queue.run(second.work), queue.run(third.work, true)];
    expect([begun, queue.load]).toEqual([['first'], { running: 1, waiting: 2, shed: 0 }]);
    for (const { end } of [first, third, second]) end();
    await Promise.all(all);
    expect(begun).toEqual(['first', 'third', 'second']);
    expect(queue.load).toEqual({ running: 0, waiting: 0, shed: 0 });
  });

  it('refuses work at once when too much waits, and later the work that waited too long', async () => {
    const queue = createBoundedQueue({
      concurrency: 1,
      queueLimit: 1,
      longestWaitMs: 20,
      fullBecause: 'it is full',
    });
    const { work, end } = slowWork([], 'one');
    const running = queue.run(work);
    const refusal = (each: Promise<unknown>) => each.then(() => undefined).catch((error: unknown) => error);
    const waiting = refusal(queue.run(() => Promise.resolve()));
    const refusals = [await refusal(queue.run(() => Promise.resolve())), await waiting];
    for (const error of refusals) expect(error).toBeInstanceOf(AppError);
    expect(refusals).toMatchObject([
      { code: 'unavailable', retryAfterSeconds: 5 },
      { code: 'unavailable', retryAfterSeconds: 5 },
    ]);
    end();
    await running;
    expect(queue.load).toEqual({ running: 0, waiting: 0, shed: 2 });
    await expect(queue.run(() => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('continues when work fails', async () => {
    const queue = createBoundedQueue({
      concurrency: 1,
      queueLimit: 5,
      longestWaitMs: 60_000,
      fullBecause: 'it is full',
    });
    const failing = queue.run(() => Promise.reject(new Error('no')));
    const next = queue.run(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
    expect(queue.load.running).toBe(0);
  });
});
