import { join } from 'node:path';
import { createServingUser, createTestDatabase } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startExportWorld } from '../test/export-world.js';
import { fillEveryTable } from '../test/fill-every-table.js';

it('an import writes as the user who migrates, and writes nothing as one who may not set ids', async () => {
  await using source = await startExportWorld('libsql');
  await fillEveryTable(source.db, source.cipher);
  expect((await source.exportTo('first')).code).toBe(0);
  const first = join(source.path, 'first');
  await using own = await createTestDatabase('mysql');
  await using user = await createServingUser(own.url);
  await using serving = await startExportWorld('libsql', { DATABASE_URL: user.url });
  await expect(serving.importFrom(first)).rejects.toMatchObject({ errno: 1142 });
  const { database: db } = own;
  for (const table of [db.tables.accounts, db.tables.memberships, db.tables.members])
    expect(await db.select().from(table)).toEqual([]);
  const both = { DATABASE_URL: user.url, MIGRATION_DATABASE_URL: own.url };
  await using operator = await startExportWorld('libsql', both);
  expect((await operator.importFrom(first)).code).toBe(0);
  expect(await db.select().from(db.tables.members)).toHaveLength(3);
});
