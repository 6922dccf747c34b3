import { auditedActions } from '@gatehouse/features/test/audited-actions';
import { expect, it } from 'vitest';
import { ACTIONS } from './action-words.js';

it('the console has words for each kind of entry in the audit log', () => {
  const actions = auditedActions();
  expect(actions.length).toBeGreaterThan(90);
  const without = actions.filter((action) => !ACTIONS.includes(action));
  expect(without, 'add these to action-words.ts and its messages').toEqual([]);
});
