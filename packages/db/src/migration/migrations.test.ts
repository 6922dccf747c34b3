import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../open-database.js';
import { findMember } from '../queries/read-members.js';
import { seedDemonstration } from '../queries/seed-demonstration.js';
import { describeSchema, openDriver } from '../test/describe-schema.js';
import { createEmptyPlace } from '../test/test-databases.js';
import type { Migration } from './apply-migrations.js';
import { applyMigrations } from './apply-migrations.js';
import { readMigrations } from './read-migrations.js';

const dialect = inject('dialect');

describe('the migrations', () => {
  it('change nothing when they are applied again, and keep stored rows', async () => {
    await using place = await createEmptyPlace(dialect);
    const db = await openDatabase(place.url);
    const all = (await readMigrations(dialect)).map(({ name }) => name);
    expect(await db.pendingMigrations()).toEqual(all);
    for (const statement of [() => findMember(db, 3), () => db.transaction((tx) => findMember(tx, 3))]) {
      await expect(statement()).rejects.toMatchObject({ reason: 'unmigrated' });
    }
    expect(db.statistics.unavailable.get('unmigrated')?.count).toBe(2);
    expect(await db.migrate()).toEqual({ applied: all, total: all.length });
    expect(await db.pendingMigrations()).toEqual([]);
    await seedDemonstration(db, { passwordHash: 'h', legacyPassword: 'l', partnerSecret: 's', nowMs: 1 });
    const before = await describeSchema(place.url);
    expect(await db.migrate()).toEqual({ applied: [], total: all.length });
    expect(await describeSchema(place.url)).toEqual(before);
    expect(await findMember(db, 3)).toMatchObject({ email: 'owner@acme.test' });
    await db.close();
  });

  it.each([
    ['another migration', "update gatehouse_migrations set name = '0000_first_tables'"],
    ['another text of the same migration', "update gatehouse_migrations set sha256 = 'another'"],
  ])('refuse a database whose tables %s made, and leave it unchanged', async (_, change) => {
    await using place = await createEmptyPlace(dialect);
    const db = await openDatabase(place.url);
    await db.migrate();
    const driver = await openDriver(place.url);
    await driver.write(change, []);
    await driver.close();
    const before = await describeSchema(place.url);
    expect(await db.pendingMigrations()).toEqual(['0000_tables']);
    await expect(db.migrate()).rejects.toThrow(
      'made by a version before 0.1.0, from which there is no upgrade',
    );
    expect(await describeSchema(place.url)).toEqual(before);
    await db.close();
  });

  it('are refused when one was edited after it was applied', async () => {
    await using place = await createEmptyPlace(dialect);
    const driver = await openDriver(place.url);
    const first: Migration = { name: '0000_a', sha256: 'one', statements: ['create table a (id integer)'] };
    const second: Migration = { name: '0001_b', sha256: 'two', statements: ['create table b (id integer)'] };
    await applyMigrations(driver, [first, second]);
    await expect(applyMigrations(driver, [first, { ...second, sha256: 'three' }])).rejects.toThrow('edited');
    await driver.close();
  });
});
