import { setTimeout as pause } from 'node:timers/promises';
import { lockAccountRows, lockMemberRow } from '@gatehouse/db/queries/lock-rows';
import { expect, it } from 'vitest';
import { startMachineWorld } from '../test/machine-world.js';

it.each(['account', 'machine'])('a report of a leaked key locks the %s before the key', async (held) => {
  await using world = await startMachineWorld();
  const { id, key } = await world.newKey(['account.read']);
  let attempts = 0;
  let answer: Promise<Response> | undefined;
  let isAnswered = false;
  let wasAnswered = false;
  await world.db.transaction(async (tx) => {
    attempts += 1;
    await (held === 'account'
      ? lockAccountRows(tx, [world.account1.id], 'share')
      : lockMemberRow(tx, world.machineId, 'share'));
    answer ??= world.service.send('/v1/key/reportLeaked', { body: { key } }).finally(() => {
      isAnswered = true;
    });
    await pause(500);
    wasAnswered = isAnswered;
    // Fails when it is already locked, and the transaction runs again.
    const sql = 'select id from api_keys where id = ? for update nowait';
    await tx.write({ toSQL: () => ({ sql, params: [id] }) });
  });
  expect((await answer)?.status).toBe(200);
  expect([attempts, wasAnswered]).toEqual([1, false]);
  expect((await world.by(key, 'session.me')).status).toBe(401);
});
