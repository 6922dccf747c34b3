import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runTransaction } from './run-transaction.js';

function recordedSteps(commitMs: number) {
  const taken: string[] = [];
  const steps = {
    runner: { read: async () => [], write: async () => ({ rows: 0, insertId: 0 }) },
    begin: async () => void taken.push('begin'),
    commit: async () => {
      taken.push('commit');
      await pause(commitMs);
    },
    rollback: async () => void taken.push('rollback'),
    abandon: () => void taken.push('abandon'),
  };
  return { taken, steps };
}

it('a transaction lets a commit finish that was sent before the deadline', async () => {
  const { taken, steps } = recordedSteps(150);
  const result = await runTransaction(steps, async () => 'kept', performance.now() + 50);
  expect(result).toBe('kept');
  expect(taken).toEqual(['begin', 'commit']);
});

it('a transaction sends no commit after the deadline, even when the event loop was late', async () => {
  const { taken, steps } = recordedSteps(0);
  const deadlineMs = performance.now() + 50;
  const late = async () => {
    while (performance.now() < deadlineMs + 10);
  };
  await expect(runTransaction(steps, late, deadlineMs)).rejects.toMatchObject({ reason: 'timeout' });
  expect(taken).toEqual(['begin', 'abandon', 'rollback']);
});
