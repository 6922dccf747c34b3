import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { pruneAccessChanges, settleAccessChanges } from '@gatehouse/db/queries/settle-access-changes';
import { createTestDatabase } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createChangeFeed } from './change-feed.js';

const dialect = inject('dialect');
const NEVER_MS = 2 ** 30;

function follow(db: Database) {
  const seen: number[] = [];
  const lost = { times: 0 };
  const feed = createChangeFeed(db, {
    settleAfterMs: NEVER_MS,
    onChange: ({ memberId }) => {
      if (memberId !== null) seen.push(memberId);
    },
    onLost() {
      lost.times += 1;
    },
  });
  return { seen, lost, feed };
}

const change = (db: Database, ...members: number[]) => changeAccess(db, { members }, () => Promise.resolve());

async function idsOf(db: Database): Promise<number[]> {
  const { accessChanges } = db.tables;
  const rows = await db.select({ id: accessChanges.id }).from(accessChanges).orderBy(accessChanges.id);
  return rows.map(({ id }) => id);
}

const write = (db: Database, sql: string, ...params: unknown[]) =>
  db.write({ toSQL: () => ({ sql, params }) });

/** Makes all existing checkpoints look older by this time. */
const age = (db: Database, byMs: number) =>
  write(db, 'update access_checkpoints set at_ms = at_ms - ?', byMs);

const HOUR_MS = 3_600_000;
const prune = (db: Database) => pruneAccessChanges(db, { olderThanMs: HOUR_MS, limit: 10_000 });

describe('the evidence that the change log is complete', () => {
  it('allows no caching while the log is empty, and allows it once the log has begun', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    const { feed, seen, lost } = follow(db);
    await feed.read();
    expect(lost.times).toBe(1);
    await expect.poll(() => idsOf(db)).toHaveLength(1);
    await expect.poll(async () => db.select().from(db.tables.accessCheckpoints)).toHaveLength(1);
    await feed.read();
    expect(lost.times).toBe(2);
    await change(db, 4);
    await feed.read();
    expect([seen, lost.times]).toEqual([[4], 2]);
  });

  it('is missing when the log was pruned while a reader slept, which then forgets everything', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    await settleAccessChanges(db);
    const { feed, lost } = follow(db);
    await feed.read();
    await change(db, 1, 2, 3);
    await age(db, 2 * HOUR_MS);
    await prune(db);
    await age(db, 2 * HOUR_MS);
    await change(db, 4);
    await prune(db);
    expect((await idsOf(db)).length).toBeLessThan(3);
    expect(lost.times).toBe(1);
    await feed.read();
    expect(lost.times).toBe(2);
    await feed.read();
    expect(lost.times).toBe(2);
  });

  it('is missing when the log was emptied under a reader, although new changes follow above', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    await settleAccessChanges(db);
    await change(db, 1);
    const { feed, lost } = follow(db);
    await feed.read();
    await change(db, 2);
    await db.write(db.delete(db.tables.accessChanges));
    await feed.read();
    expect(lost.times).toBe(2);
    await change(db, 3);
    await feed.read();
    expect(lost.times).toBe(3);
  });

  it('is missing when the last row that was read has been replaced, as after a restore', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    const { accessChanges } = db.tables;
    await settleAccessChanges(db);
    await change(db, 1);
    const { feed, lost } = follow(db);
    await feed.read();
    const highest = (await idsOf(db)).at(-1) ?? 0;
    await write(db, 'delete from access_changes where id = ?', highest);
    await db.insert(accessChanges, { id: highest, memberId: 2, atMs: 5 });
    await feed.read();
    expect(lost.times).toBe(2);
  });

  it('is missing when the change in a gap arrived and was pruned unseen', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    const { accessChanges } = db.tables;
    await settleAccessChanges(db);
    const { feed, lost } = follow(db);
    await feed.read();
    const highest = (await idsOf(db)).at(-1) ?? 0;
    await db.insert(accessChanges, { id: highest + 2, memberId: 2, atMs: 5 });
    await feed.read();
    expect(lost.times).toBe(1);
    await db.insert(accessChanges, { id: highest + 1, memberId: 1, atMs: 5 });
    await age(db, 2 * HOUR_MS);
    await prune(db);
    await age(db, 2 * HOUR_MS);
    await prune(db);
    expect(await idsOf(db)).toEqual([highest + 2]);
    // A node that was suspended while it filled gaps writes a tombstone far below the pruned range.
    await db.insert(accessChanges, { id: highest, atMs: 5 });
    await feed.read();
    expect(lost.times).toBe(2);
    await feed.read();
    expect(lost.times).toBe(2);
  });
});

describe('pruning the change log', () => {
  it('uses the time at which the database stored a checkpoint, not the times in the rows', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    const { accessChanges } = db.tables;
    await settleAccessChanges(db);
    for (const atMs of [Date.now() - 65 * 60_000, Date.now() + 65 * 60_000, 1])
      await db.insert(accessChanges, { memberId: 1, atMs });
    const before = await idsOf(db);
    expect(await prune(db)).toBe(0);
    await age(db, 59 * 60_000);
    expect(await prune(db)).toBe(0);
    expect(await idsOf(db)).toEqual(before);
    await age(db, 2 * 60_000);
    await prune(db);
    await age(db, 61 * 60_000);
    await prune(db);
    expect(await idsOf(db)).toEqual(before.slice(-1));
  });

  it('keeps the newest row forever, and a bounded number of checkpoints', async () => {
    await using own = await createTestDatabase(dialect);
    const { database: db } = own;
    const { accessCheckpoints } = db.tables;
    for (let day = 0; day < 20; day += 1) {
      await change(db, 1, 2, 3);
      const highest = (await idsOf(db)).at(-1);
      for (let turn = 0; turn < 3; turn += 1) {
        await prune(db);
        await age(db, 12 * HOUR_MS);
      }
      expect((await idsOf(db)).at(-1)).toBe(highest);
      expect((await idsOf(db)).length).toBeLessThan(5);
      expect((await db.select().from(accessCheckpoints)).length).toBeLessThan(4);
    }
  });
});
