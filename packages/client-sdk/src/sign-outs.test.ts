import { expect, it } from 'vitest';
import { createSignOuts } from './sign-outs.js';

it('gives a sign-out up that is not answered in time, and stops its clock for one that is', async () => {
  const signOuts = createSignOuts({ isOpen: () => false, finish: () => Promise.resolve() }, 10);
  const unanswered = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')));
    });
  await expect(signOuts.during(unanswered)).rejects.toThrow('given up');

  let signalOfAnswered: AbortSignal | undefined;
  await signOuts.during(async (signal) => {
    signalOfAnswered = signal;
  });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(signalOfAnswered?.aborted).toBe(false);
});
