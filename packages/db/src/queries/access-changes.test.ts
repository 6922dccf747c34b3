import { unsettled } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { openDatabase } from '../open-database.js';
import { createDemonstration } from '../test/test-databases.js';
import { removeApplicationSecret } from './applications.js';
import { changeAccess } from './change-access.js';
import { setMemberRole } from './change-member.js';
import { readDatabaseTime } from './database-clock.js';
import { findAccessSnapshot } from './find-access-snapshot.js';
import { ACCESS_CHANGE_PAGE, listAccessChanges } from './list-access-changes.js';
import { removeMembership } from './memberships.js';
import { settleAccessChanges } from './settle-access-changes.js';

const dialect = inject('dialect');

async function listAbove(db: Database, id: number, gaps: number[] = []) {
  return (await listAccessChanges(db, id + 1, gaps)).changes;
}

async function latestId(db: Database): Promise<number> {
  return (await listAbove(db, 0)).at(-1)?.id ?? 0;
}

describe('a change of access', () => {
  it('is in the log of every node once it is committed, and not before', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const other = await openDatabase(test.url);
    const before = await latestId(other);
    const roleType = await changeAccess(db, { members: [4], accounts: [1], partners: [1] }, async (tx) => {
      await setMemberRole(unsettled(tx), { memberId: 4, roleType: 3, role: 'Contributor', nowMs: 5 });
      expect(await listAbove(other, before)).toEqual([]);
      expect((await findAccessSnapshot(other, 4, Date.now()))?.roleType).toBe(2);
      await removeApplicationSecret(tx, { id: 1, applicationId: 7 });
      return 3;
    });
    expect(roleType).toBe(3);
    const subjects = (await listAbove(other, before)).map(({ id: _id, atMs: _atMs, ...subject }) => subject);
    expect(subjects).toEqual([
      { memberId: 4, accountId: null, partnerId: null, applicationId: null },
      { memberId: null, accountId: 1, partnerId: null, applicationId: null },
      { memberId: null, accountId: null, partnerId: 1, applicationId: null },
      { memberId: null, accountId: null, partnerId: null, applicationId: 7 },
    ]);
    expect((await findAccessSnapshot(other, 4, Date.now()))?.roleType).toBe(3);
    await other.close();
  });

  it('is neither applied nor logged when its body fails', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const before = await latestId(db);
    const attempt = changeAccess(db, { members: [4] }, async (tx) => {
      await removeMembership(tx, { memberId: 4, accountId: 1, nowMs: 5 });
      throw new Error('not allowed after all');
    });
    await expect(attempt).rejects.toThrow('not allowed after all');
    expect(await latestId(db)).toBe(before);
    expect((await findAccessSnapshot(db, 4, Date.now()))?.memberships).toEqual([
      { accountId: 1, roleType: 2, customRoleId: null },
    ]);
  });

  it('comes in pages, by ascending id', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const before = await latestId(db);
    const members = Array.from({ length: ACCESS_CHANGE_PAGE + 20 }, (_, position) => position + 1);
    await changeAccess(db, { members }, async () => undefined);
    const first = await listAbove(db, before);
    expect(first).toHaveLength(ACCESS_CHANGE_PAGE);
    const rest = await listAbove(db, first.at(-1)?.id ?? 0);
    expect([...first, ...rest].map(({ memberId }) => memberId)).toEqual(members);
  });

  it('is found even if its id became visible after higher ones', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { accessChanges } = db.tables;
    const before = await latestId(db);
    await db.insert(accessChanges, { id: before + 3, memberId: 9, atMs: 5 });
    expect((await listAbove(db, before)).map(({ id }) => id)).toEqual([before + 3]);
    const gaps = [before + 1, before + 2];
    expect(await listAbove(db, before + 3, gaps)).toEqual([]);
    await db.insert(accessChanges, { id: before + 1, memberId: 8, atMs: 5 });
    await db.insert(accessChanges, { id: before + 4, memberId: 7, atMs: 5 });
    const late = await listAbove(db, before + 3, gaps);
    expect(late.map(({ id, memberId }) => [id, memberId])).toEqual([
      [before + 1, 8],
      [before + 4, 7],
    ]);
  });

  it("has the time of the database's clock, not the node's", async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const before = await latestId(db);
    const fromMs = await readDatabaseTime(db);
    await changeAccess(db, { members: [4] }, async () => undefined);
    const throughMs = await readDatabaseTime(db);
    expect(Math.abs(throughMs - Date.now())).toBeLessThan(60_000);
    const [change] = await listAbove(db, before);
    expect(change?.atMs).toBeGreaterThanOrEqual(fromMs - 1);
    expect(change?.atMs).toBeLessThanOrEqual(throughMs + 1);
  });

  it('never reuses an id after the log was emptied', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const before = await latestId(db);
    await db.write(db.delete(db.tables.accessChanges));
    expect(await latestId(db)).toBe(0);
    await changeAccess(db, { members: [1] }, async () => undefined);
    expect(await latestId(db)).toBeGreaterThan(before);
  });
});

const change = (db: Database, memberId: number) =>
  changeAccess(db, { members: [memberId] }, () => Promise.resolve());

async function idsOf(db: Database): Promise<number[]> {
  const { accessChanges } = db.tables;
  const rows = await db.select({ id: accessChanges.id }).from(accessChanges).orderBy(accessChanges.id);
  return rows.map(({ id }) => id);
}

async function checkpointsOf(db: Database): Promise<number[]> {
  const { accessCheckpoints } = db.tables;
  const rows = await db.select({ changeId: accessCheckpoints.changeId }).from(accessCheckpoints);
  return rows.map(({ changeId }) => changeId);
}

const upTo = (highest: number) => Array.from({ length: highest }, (_, index) => index + 1);

describe('settling the change log', () => {
  it('fills the gaps of rolled-back changes with tombstones, once, and records how far the log is complete', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { accessChanges } = db.tables;
    const before = (await idsOf(db)).at(-1) ?? 0;
    await db.insert(accessChanges, { id: before + 2_500, memberId: 9, atMs: 5 });
    await Promise.all([settleAccessChanges(db), settleAccessChanges(db), settleAccessChanges(db)]);
    expect(await idsOf(db)).toEqual(upTo(before + 2_500));
    expect(await checkpointsOf(db)).toEqual([before + 2_500]);
    const { changes } = await listAccessChanges(db, before + 1, []);
    expect(changes[0]).toMatchObject({ memberId: null, accountId: null, partnerId: null });

    await settleAccessChanges(db);
    expect(await idsOf(db)).toHaveLength(before + 2_500);
    expect(await checkpointsOf(db)).toHaveLength(1);
  });

  it('begins an empty log with a tombstone, so that there is a row to start from', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const before = (await idsOf(db)).at(-1) ?? 0;
    await db.write(db.delete(db.tables.accessChanges));
    await settleAccessChanges(db);
    expect(await idsOf(db)).toEqual(upTo(before + 1));
    expect(await checkpointsOf(db)).toEqual([before + 1]);
  });

  it('drops the checkpoint of a log that restarts with lower ids', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const highest = (await idsOf(db)).at(-1) ?? 0;
    await db.insert(db.tables.accessCheckpoints, { changeId: highest + 50, atMs: 5 });
    await settleAccessChanges(db);
    expect(await checkpointsOf(db)).toEqual([highest]);
    await change(db, 1);
    await settleAccessChanges(db);
    expect(await checkpointsOf(db)).toEqual([highest]);
  });
});
