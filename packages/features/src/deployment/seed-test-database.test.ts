import { createDataCipher } from '@gatehouse/auth-core';
import { createTestDatabase, seedTestDatabase, testConfig } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { seedDemo } from './seed-demo.js';

const dialect = inject('dialect');

it('the demonstration data of a test equals that of a deployment', async () => {
  const cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY });
  const nowMs = Date.now() - 20 * 86_400_000;
  await using written = await createTestDatabase(dialect);
  await seedDemo(written.database, { cipher, nowMs });
  await using copied = await createTestDatabase(dialect);
  await seedTestDatabase(copied.database, { nowMs });
  const tables = Object.keys(written.database.tables) as (keyof typeof written.database.tables)[];
  const rowsOf = async ({ database }: typeof written) => {
    const all: Record<string, object[]> = {};
    for (const table of tables) all[table] = await database.select().from(database.tables[table]);
    return all;
  };
  const [theirs, ours] = [await rowsOf(written), await rowsOf(copied)];
  expect(Object.keys(theirs).filter((table) => theirs[table]?.length !== 0).length).toBeGreaterThan(9);
  const bySeed = { password: expect.any(String), secret: expect.any(String) };
  const byMachine = { accessChanges: { atMs: expect.closeTo(Date.now(), -5) } };
  for (const table of tables) {
    const hidden = table === 'accessChanges' ? byMachine.accessChanges : bySeed;
    const shown = (row: object) => ({
      ...row,
      ...Object.fromEntries(Object.entries(hidden).filter(([name]) => name in row)),
    });
    expect(ours[table]).toEqual(theirs[table]?.map(shown));
  }
});
