import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { settleAccessChanges } from '@gatehouse/db/queries/settle-access-changes';
import { createTestDatabase, printMeasurements } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createChangeFeed } from './change-feed.js';

const NEVER_MS = 2 ** 30;

function follow(db: Database, settleAfterMs = NEVER_MS) {
  const seen: number[] = [];
  const lost = { times: 0 };
  const feed = createChangeFeed(db, {
    settleAfterMs,
    onChange: ({ memberId }) => {
      if (memberId !== null) seen.push(memberId);
    },
    onLost() {
      lost.times += 1;
    },
  });
  return { seen, lost, feed };
}

/** A transaction that has taken an id of the log and stays open until it is ended. */
async function openChange(
  db: Database,
  memberId: number,
): Promise<{ commit: () => Promise<void>; abort: () => Promise<void> }> {
  let commit: () => void = () => undefined;
  let abort: (reason: Error) => void = () => undefined;
  const held = new Promise<void>((resolve, reject) => {
    commit = resolve;
    abort = reject;
  });
  let inserted: () => void = () => undefined;
  const hasInserted = new Promise<void>((resolve) => {
    inserted = resolve;
  });
  const done = db.transaction(async (tx) => {
    await tx.insert(tx.tables.accessChanges, { memberId, atMs: 1 });
    inserted();
    // The server ends a transaction after ten seconds without a statement.
    const speaking = setInterval(() => void tx.select().from(tx.tables.leases).execute(), 1_000);
    await held.finally(() => clearInterval(speaking));
  });
  await hasInserted;
  return {
    async commit() {
      commit();
      await done;
    },
    async abort() {
      abort(new Error('aborted'));
      await done.catch(() => undefined);
    },
  };
}

const change = (db: Database, memberId: number) =>
  changeAccess(db, { members: [memberId] }, () => Promise.resolve());

async function allChanges(db: Database) {
  const { accessChanges } = db.tables;
  const { id, memberId } = accessChanges;
  return db.select({ id, memberId }).from(accessChanges).orderBy(id);
}

describe('the change feed', () => {
  it('sees a change whose lower id becomes visible after a higher one', async () => {
    await using own = await createTestDatabase('mysql');
    await settleAccessChanges(own.database);
    const { feed, seen, lost } = follow(own.database);
    await feed.read();
    const early = await openChange(own.database, 1);
    await change(own.database, 2);
    await feed.read();
    expect(seen).toEqual([2]);
    await early.commit();
    await feed.read();
    expect(seen).toEqual([2, 1]);
    expect(lost.times).toBe(1);
  });

  it('sees a change that was in progress when it first read', async () => {
    await using own = await createTestDatabase('mysql');
    await change(own.database, 1);
    await settleAccessChanges(own.database);
    const early = await openChange(own.database, 2);
    await change(own.database, 3);
    const { feed, seen, lost } = follow(own.database);
    await feed.read();
    expect(lost.times).toBe(1);
    await early.commit();
    await feed.read();
    expect(seen).toEqual([2]);
    expect(lost.times).toBe(1);
  });

  it('waits for a gap as long as its transaction lives, while others keep trying to fill it', {
    timeout: 60_000,
  }, async () => {
    await using own = await createTestDatabase('mysql', { transactionTimeoutMs: 40_000 });
    const { database: db } = own;
    await settleAccessChanges(db);
    const { feed, seen } = follow(db, 100);
    await feed.read();
    const slow = await openChange(db, 1);
    await change(db, 2);
    const endsAt = performance.now() + 14_000;
    while (performance.now() < endsAt) {
      await feed.read();
      await change(db, 3);
      await pause(500);
    }
    expect(seen).not.toContain(1);
    await feed.read();
    seen.length = 0;
    await slow.commit();
    await feed.read();
    expect(seen).toEqual([1]);
  });

  it('stops waiting for the ids of aborted transactions, which get one tombstone each', async () => {
    await using own = await createTestDatabase('mysql', { poolSize: 20 });
    const { database: db } = own;
    await settleAccessChanges(db);
    const one = follow(db, 20);
    const other = follow(db, 20);
    await one.feed.read();
    await other.feed.read();
    const before = (await allChanges(db)).length;
    const aborted = await Promise.all(Array.from({ length: 15 }, (_, index) => openChange(db, index + 1)));
    await change(db, 100);
    await Promise.all([one.feed.read(), other.feed.read()]);
    await Promise.all(aborted.map(({ abort }) => abort()));
    await expect
      .poll(async () => {
        await Promise.all([one.feed.read(), other.feed.read()]);
        return (await allChanges(db)).length;
      })
      .toBe(before + 16);
    const rows = await allChanges(db);
    expect(rows.at(-1)?.id).toBe(rows[0] && rows[0].id + rows.length - 1);
    expect(one.seen).toEqual([100]);
    expect(other.seen).toEqual([100]);
    expect(one.lost.times).toBe(1);
    // The other node may still be settling the same rows.
    await expect
      .poll(async () => {
        const { reads } = db.statistics;
        for (let read = 0; read < 10; read += 1) await one.feed.read();
        return db.statistics.reads - reads;
      })
      .toBe(10);
  });

  it('makes a change take another id when a tombstone has its id', async () => {
    await using own = await createTestDatabase('mysql');
    const { database: db } = own;
    const run = (sql: string) => db.write({ toSQL: () => ({ sql, params: [] }) });
    await change(db, 1);
    const taken = (await allChanges(db)).at(-1)?.id ?? 0;
    await run(`create trigger late before insert on access_changes for each row set new.id = ${taken}`);
    let attempts = 0;
    await changeAccess(db, { members: [2] }, async (tx) => {
      attempts += 1;
      if (attempts === 2) await run('drop trigger late');
      await tx.insert(tx.tables.auditLog, { atMs: attempts, action: 'test' });
    });
    expect(attempts).toBe(2);
    expect((await allChanges(db)).map(({ memberId }) => memberId)).toEqual([1, 2]);
    expect((await db.select().from(db.tables.auditLog)).map(({ atMs }) => atMs)).toEqual([2]);
  });

  it('forgets everything at each read while thousands of ids are missing, and follows again once they are settled', async () => {
    await using own = await createTestDatabase('mysql');
    const { database: db } = own;
    const { accessChanges } = db.tables;
    await settleAccessChanges(db);
    const { feed, seen, lost } = follow(db);
    await feed.read();
    const highest = (await allChanges(db)).at(-1)?.id ?? 0;
    await db.insert(accessChanges, { id: highest + 6_000, memberId: 1, atMs: 1 });
    for (let read = 0; read < 3; read += 1) await feed.read();
    expect(lost.times).toBe(4);
    await db.insert(accessChanges, { id: highest + 5_000, memberId: 2, atMs: 1 });
    await feed.read();
    expect(lost.times).toBe(5);

    const startedAt = performance.now();
    await settleAccessChanges(db);
    await settleAccessChanges(db);
    printMeasurements('thousands of gaps are settled', { ms: Math.round(performance.now() - startedAt) });
    expect(await allChanges(db)).toHaveLength(highest + 6_000);
    await feed.read();
    expect(lost.times).toBe(6);
    await change(db, 3);
    await feed.read();
    expect(seen).toEqual([3]);
    expect(lost.times).toBe(6);
  });

  it('follows from its first read on while a transaction with a lower id is open, however far the log continues above it', async () => {
    await using own = await createTestDatabase('mysql');
    const { database: db } = own;
    await change(db, 9);
    const pending = await openChange(db, 1);
    await changeAccess(db, { members: [2, 3, 4] }, () => Promise.resolve());
    const other = await openDatabase(own.url);
    const { feed, seen, lost } = follow(other);
    await feed.read();
    expect(lost.times).toBe(1);
    await settleAccessChanges(other);
    await feed.read();
    expect(lost.times).toBe(2);
    await feed.read();
    expect(lost.times).toBe(2);
    await pending.commit();
    await feed.read();
    expect(seen).toEqual([1]);
    expect(lost.times).toBe(2);
    await other.close();
  });
});
