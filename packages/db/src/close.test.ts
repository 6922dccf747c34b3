import { createTestDatabase } from '@gatehouse/testkit/database';
import { eq } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import { openDatabase } from './index.js';

const dialect = inject('dialect');

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

it('lets a transaction finish that was under way when the handle was closed, and lets no other begin', async () => {
  await using test = await createTestDatabase(dialect);
  const db = await openDatabase(test.url);
  const { limits } = db.tables;
  const begun = gate();
  const othersTried = gate();
  const underWay = db.transaction(async (tx) => {
    await tx.insert(limits, { key: 'first', points: 1 });
    begun.open();
    await othersTried.opened;
    await tx.insert(limits, { key: 'second', points: 1 });
  });
  await begun.opened;
  const closing = db.close();
  await expect(db.insert(limits, { key: 'late', points: 1 })).rejects.toMatchObject({ reason: 'closed' });
  await expect(db.transaction(async () => undefined)).rejects.toMatchObject({ reason: 'closed' });
  await expect(db.select().from(limits)).rejects.toMatchObject({ reason: 'closed' });
  othersTried.open();
  await underWay;
  await closing;
  const kept = await test.database.select({ key: limits.key }).from(limits).where(eq(limits.points, 1));
  expect(kept.map(({ key }) => key)).toEqual(['first', 'second']);
});
