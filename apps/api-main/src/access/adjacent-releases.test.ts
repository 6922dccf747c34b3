import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from '../app.js';

const dialect = inject('dialect');

const BANNED = 11;

const write = (db: Database, sql: string, ...params: unknown[]) =>
  db.write({ toSQL: () => ({ sql, params }) });

/**
 * The migration of the next release: changes may be about a subject that this release does not know. It is undone at the end,
 * because databases are used for several tests.
 */
async function migrate(db: Database): Promise<AsyncDisposable> {
  await write(db, 'alter table access_changes add column device_id bigint null');
  return {
    async [Symbol.asyncDispose]() {
      await write(db, 'alter table access_changes drop column device_id');
    },
  };
}

/** Bans a member as the next release does, in a change of a kind that this release does not know. */
async function banByNextRelease(db: Database, memberId: number): Promise<void> {
  await db.transaction(async (tx) => {
    await write(tx, 'update members set role_type = ? where id = ?', BANNED, memberId);
    await write(
      tx,
      'insert into access_changes (member_id, device_id, at_ms) values (?, 7, ?)',
      memberId,
      Date.now(),
    );
  });
}

describe('the change log that two adjacent releases share', () => {
  it('shows a node the changes of the next release, and keeps other members cached', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    await using other = await startService(createApp, {
      dialect,
      application: 'web',
      database: service.database,
    });
    const { database: db } = service;
    const banned = await insertTestMember(db, { memberships: { 1: 5 } });
    const bystander = await insertTestMember(db, { memberships: { 1: 5 } });
    const statusOf = async ({ token }: { token: string }) =>
      Promise.all([service, other].map(async (node) => (await node.send('/auth/me', { token })).status));
    for (const member of [banned, bystander]) expect(await statusOf(member)).toEqual([200, 200]);
    // The nodes keep running during and after the migration.
    await using _migrated = await migrate(db);
    for (const member of [banned, bystander]) expect(await statusOf(member)).toEqual([200, 200]);
    const known = await db.select().from(db.tables.accessCheckpoints);
    await banByNextRelease(db, banned.id);
    expect(await statusOf(banned)).toEqual([401, 401]);
    expect(await statusOf(bystander)).toEqual([200, 200]);
    // The log is regarded as complete: no node had to drop its cache and mark a new beginning.
    expect(await db.select().from(db.tables.accessCheckpoints)).toEqual(known);
  });

  it('holds changes of this release that the next one can read', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { database: db } = service;
    await using _migrated = await migrate(db);
    const member = await insertTestMember(db);
    await changeAccess(db, { members: [member.id], accounts: [1], partners: [1] }, () => Promise.resolve());
    // The next release follows the log by id, and finds the subject in a column that it has in common with this one.
    const { accessChanges } = db.tables;
    const rows = await db.select().from(accessChanges).orderBy(accessChanges.id);
    const subjects = rows
      .slice(-3)
      .map(({ memberId, accountId, partnerId }) => [memberId, accountId, partnerId]);
    expect(subjects).toEqual([
      [member.id, null, null],
      [null, 1, null],
      [null, null, 1],
    ]);
    await write(db, 'delete from access_changes where device_id is not null');
    expect(await db.select().from(accessChanges)).toHaveLength(rows.length);
  });
});
