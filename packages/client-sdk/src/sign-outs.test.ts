import { expect, it } from 'vitest';
import { createSignOuts } from './sign-outs.js';

const start = (end: (signal: AbortSignal) => Promise<void>, isOpen = (): boolean => false) =>
  createSignOuts({ isOpen, end }, { name: 'a test', longestMs: 10 });

it('gives a sign-out up that is not answered in time', async () => {
  const unanswered = start(
    (signal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up', { cause: signal.reason })));
      }),
  );
  await expect(unanswered.finish()).rejects.toMatchObject({ cause: { name: 'TimeoutError' } });
});

it('asks once for all who want to finish it at a time', async () => {
  let asked = 0;
  const signOuts = start(async () => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await Promise.all(Array.from({ length: 20 }, () => signOuts.finish()));
  expect(asked).toBe(1);
});
