import { createTestDatabase } from '@gatehouse/testkit/database';
import { expect, inject, it } from 'vitest';
import { countWholeRows, listWholeRows, type RowKey, type WholeRow } from './queries/read-whole-tables.js';

const dialect = inject('dialect');

it('a snapshot shows one moment despite concurrent writes, and writes nothing', async () => {
  await using test = await createTestDatabase(dialect);
  const { database: db } = test;
  const { limits } = db.tables;
  await db.insert(limits, { key: 'before', points: 1 });
  await db.snapshot(async (snapshot) => {
    await db.insert(limits, { key: 'after', points: 1 });
    expect(await countWholeRows(snapshot, 'limits')).toBe(1);
    await db.write(db.update(limits).set({ points: 9 }));
    expect(await snapshot.select().from(limits)).toMatchObject([{ key: 'before', points: 1 }]);
    await expect(snapshot.insert(limits, { key: 'own', points: 1 })).rejects.toThrow('only read');
  });
  expect(await countWholeRows(db, 'limits')).toBe(2);
});

it('a snapshot returns the rows of a table once each, in key order, even for a key of several columns', async () => {
  await using test = await createTestDatabase(dialect);
  const { database: db } = test;
  const { statisticCounters } = db.tables;
  const keys = ['b', 'B', 'ä', 'a'].flatMap((name) => [2, 1].map((slot) => ({ name, slot })));
  await db.insertMany(
    statisticCounters,
    keys.map((key) => ({ ...key, accountId: 3, count: 1 })),
  );
  const read: WholeRow[] = [];
  let after: RowKey | undefined;
  for (;;) {
    const rows = await listWholeRows(db, 'statisticCounters', { after, limit: 3 });
    read.push(...rows);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = [3, String(last['name']), Number(last['slot'])];
  }
  const inOrder = ['B', 'a', 'b', 'ä'].flatMap((name) => [`${name}1`, `${name}2`]);
  expect(read.map(({ name, slot }) => `${String(name)}${String(slot)}`)).toEqual(inOrder);
});
