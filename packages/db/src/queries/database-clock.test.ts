import { eq } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import { createDemonstration } from '../test/test-databases.js';
import { changeAccess } from './change-access.js';
import { notEarlier } from './database-clock.js';

it('the database clock of a row only moves forward, for each row separately', async () => {
  await using test = await createDemonstration(inject('dialect'));
  const { database: db } = test;
  const { members } = db.tables;
  const { id, tokensValidAfterMs } = members;
  const setTo = (ms: number) =>
    changeAccess(db, { members: [1, 2] }, async (tx) => {
      await tx.write(tx.update(members).set({ tokensValidAfterMs: notEarlier(tx, tokensValidAfterMs, ms) }));
    });
  const stored = async () =>
    (await db.select({ tokensValidAfterMs }).from(members).orderBy(id).limit(2)).map(
      (row) => row.tokensValidAfterMs,
    );

  await db.write(db.update(members).set({ tokensValidAfterMs: 1_800_000_600_000 }).where(eq(id, 2)));
  await setTo(1_800_000_000_000);
  expect(await stored()).toEqual([1_800_000_000_000, 1_800_000_600_000]);
  await setTo(1_800_000_900_000);
  expect(await stored()).toEqual([1_800_000_900_000, 1_800_000_900_000]);
});
