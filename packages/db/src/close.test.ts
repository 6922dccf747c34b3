import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase } from '@gatehouse/testkit/database';
import { eq } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import { openDatabase } from './index.js';

const dialect = inject('dialect');

it('lets a transaction finish that was under way when the handle was closed, and lets no other begin', async () => {
  await using test = await createTestDatabase(dialect);
  const db = await openDatabase(test.url);
  const { limits } = db.tables;
  const underWay = db.transaction(async (tx) => {
    await tx.insert(limits, { key: 'first', points: 1 });
    await pause(200);
    await tx.insert(limits, { key: 'second', points: 1 });
  });
  await pause(50);
  const closing = db.close();
  await expect(db.insert(limits, { key: 'late', points: 1 })).rejects.toMatchObject({ reason: 'closed' });
  await expect(db.transaction(async () => undefined)).rejects.toMatchObject({ reason: 'closed' });
  await expect(db.select().from(limits)).rejects.toMatchObject({ reason: 'closed' });
  await underWay;
  await closing;
  const kept = await test.database.select({ key: limits.key }).from(limits).where(eq(limits.points, 1));
  expect(kept.map(({ key }) => key)).toEqual(['first', 'second']);
});
