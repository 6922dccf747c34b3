import { describe, expect, inject, it } from 'vitest';
import { changeAccess, type Database, listAccessChanges, settleAccessChanges } from '../../index.js';
import { createDemonstration } from '../../test/create-demonstration.js';

const dialect = inject('dialect');

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
  it('fills the gaps of changes that never were with tombstones, once, and notes how far the log is complete', async () => {
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

  it('begins an empty log with a tombstone, so that there is a row to hold on to', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const before = (await idsOf(db)).at(-1) ?? 0;
    await db.write(db.delete(db.tables.accessChanges));
    await settleAccessChanges(db);
    expect(await idsOf(db)).toEqual(upTo(before + 1));
    expect(await checkpointsOf(db)).toEqual([before + 1]);
  });

  it('drops the checkpoint of a log that begins anew with lower ids', async () => {
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
