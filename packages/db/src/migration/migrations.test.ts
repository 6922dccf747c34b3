import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import { countRootStaff, findMember, openDatabase, seedDemonstration } from '../index.js';
import { createEmptyPlace } from '../test/create-empty-place.js';
import { describeSchema, openDriver } from '../test/describe-schema.js';
import { applyMigrations } from './apply-migrations.js';
import type { Migration } from './migration.js';
import { readMigrations } from './read-migrations.js';

const dialect = inject('dialect');

describe('the migrations', () => {
  it('leave nothing to do when they are applied again, and what was stored untouched', async () => {
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

  it('bring a database that was filled at its first version up to date', async () => {
    await using place = await createEmptyPlace(dialect);
    const driver = await openDriver(place.url);
    const all = await readMigrations(dialect);
    await applyMigrations(driver, all.slice(0, 1));
    await driver.write(
      `insert into accounts (name, name_key, owner_id, created_at_ms, updated_at_ms) values ('Old', 'old', 1, 1, 1)`,
      [],
    );
    expect(await applyMigrations(driver, all)).toEqual({
      applied: all.slice(1).map(({ name }) => name),
      total: all.length,
    });
    expect(await driver.read('select name, owner_id, is_deleted from accounts', [])).toEqual([['Old', 1, 0]]);
    await driver.close();
    await using fresh = await createTestDatabase(dialect);
    expect(await columnsOnly(place.url)).toEqual(await columnsOnly(fresh.url));
  });

  it('give administrators of before 30 days without a passkey, and nobody else', async () => {
    await using place = await createEmptyPlace(dialect);
    const driver = await openDriver(place.url);
    const all = await readMigrations(dialect);
    const before = all.findIndex(({ name }) => name.endsWith('levels_and_policy'));
    await applyMigrations(driver, all.slice(0, before));
    const person = (id: number, { roleType = 0, isPersonnel = 1, isDeleted = 0 } = {}) =>
      `(${id}, 's${id}', 's${id}', 'u${id}', 'u${id}', '', '', '', '', ${roleType}, '', ${isPersonnel}, ${isDeleted}, 1, 1)`;
    const people = [
      person(1),
      person(2, { roleType: 6 }),
      person(3, { isPersonnel: 0 }),
      person(4, { isDeleted: 1 }),
    ];
    await driver.write(
      `insert into members (id, sid, sid_key, username, username_key, first_name, first_name_key, last_name, password, role_type, role, is_personnel, is_deleted, created_at_ms, updated_at_ms) values ${people.join(',')}`,
      [],
    );
    const nowMs = Date.now();
    await applyMigrations(driver, all);
    const rows = await driver.read('select id, level_deferred_until_ms from members order by id', []);
    const days = rows.map(([id, untilMs]) => [
      id,
      untilMs === null ? null : Math.round((Number(untilMs) - nowMs) / 86_400_000),
    ]);
    expect(days).toEqual([
      [1, 30],
      [2, null],
      [3, null],
      [4, null],
    ]);
    await driver.close();
    const db = await openDatabase(place.url);
    expect(await countRootStaff(db)).toMatchObject({ members: 1, withoutPasskey: 1 });
    await db.close();
  });

  it('name the longest-standing owner of each account whose owner is none any more', async () => {
    await using place = await createEmptyPlace(dialect);
    const driver = await openDriver(place.url);
    const all = await readMigrations(dialect);
    const before = all.findIndex(({ name }) => name.endsWith('account_ownership'));
    await applyMigrations(driver, all.slice(0, before));
    const insert = (table: string, columns: string, rows: readonly string[]) =>
      driver.write(`insert into ${table} (${columns}) values ${rows.map((row) => `(${row})`).join(',')}`, []);
    const member = (id: number, roleType = 5, isDeleted = 0) =>
      `${id}, 's${id}', 's${id}', 'u${id}', 'u${id}', '', '', '', '', ${roleType}, '', ${isDeleted}, 1, 1`;
    await insert(
      'members',
      'id, sid, sid_key, username, username_key, first_name, first_name_key, last_name, password, role_type, role, is_deleted, created_at_ms, updated_at_ms',
      [member(1), member(2), member(3, 5, 1), member(4, 11), member(5)],
    );
    await insert('accounts', 'id, name, name_key, owner_id, created_at_ms, updated_at_ms', [
      `1, 'Kept', 'kept', 2, 1, 1`,
      `2, 'Deleted', 'deleted', 3, 1, 1`,
      `3, 'Banned', 'banned', 4, 1, 1`,
      `4, 'Nobody', 'nobody', 3, 1, 1`,
      `5, 'Demoted', 'demoted', 1, 1, 1`,
    ]);
    await insert(
      'memberships',
      'member_id, account_id, role_type, is_deleted, active, created_at_ms, updated_at_ms',
      [
        '1, 1, 1, 0, 1, 1, 1',
        '2, 1, 0, 0, 1, 9, 9',
        '3, 2, 1, 0, 1, 1, 1',
        '5, 2, 1, 0, 1, 7, 7',
        '2, 2, 1, 0, 1, 5, 5',
        '1, 2, 2, 0, 1, 2, 2',
        '4, 3, 1, 0, 1, 1, 1',
        '1, 3, 1, 1, 1, 2, 2',
        '2, 3, 1, 0, 0, 3, 3',
        '5, 3, 0, 0, 1, 4, 4',
        '1, 5, 2, 0, 1, 1, 1',
        '5, 5, 1, 0, 1, 6, 6',
      ],
    );
    await applyMigrations(driver, all);
    expect(await driver.read('select id, owner_id from accounts order by id', [])).toEqual([
      [1, 2],
      [2, 2],
      [3, 5],
      [4, 3],
      [5, 5],
    ]);
    await driver.close();
  });

  it('are refused when one was edited after it was applied', async () => {
    await using place = await createEmptyPlace(dialect);
    const driver = await openDriver(place.url);
    const first: Migration = { name: '0000_a', sha256: 'one', statements: ['create table a (id integer)'] };
    await applyMigrations(driver, [first]);
    await expect(applyMigrations(driver, [{ ...first, sha256: 'two' }])).rejects.toThrow('edited');
    await driver.close();
  });
});

/**
 * SQLite may store a different definition for a table made in several steps, so only names are compared
 * there.
 */
async function columnsOnly(url: string): Promise<string[]> {
  const rows = await describeSchema(url);
  return dialect === 'mysql' ? rows : rows.map((row) => row.split(' ').slice(0, 2).join(' '));
}
