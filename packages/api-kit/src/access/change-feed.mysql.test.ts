import { changeAccess, type Database } from '@gatehouse/db';
import { createTestDatabase } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createChangeFeed } from './change-feed.js';

const LONGEST_TRANSACTION_MS = 1_000;

function follow(db: Database) {
  const clock = { now: 0, wall: 1_800_000_000_000 };
  const seen: (number | null)[] = [];
  const lost = { times: 0 };
  const feed = createChangeFeed(db, {
    longestTransactionMs: LONGEST_TRANSACTION_MS,
    monotonicNow: () => clock.now,
    now: () => clock.wall,
    onChange: ({ memberId }) => seen.push(memberId),
    onLost() {
      lost.times += 1;
    },
  });
  return { clock, seen, lost, feed };
}

/** A change that has taken its id and is committed when `commit` is called. */
async function openChange(db: Database, memberId: number): Promise<{ commit: () => Promise<void> }> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let inserted: () => void = () => undefined;
  const hasInserted = new Promise<void>((resolve) => {
    inserted = resolve;
  });
  const done = db.transaction(async (tx) => {
    await tx.insert(tx.tables.accessChanges, { memberId, atMs: 1 });
    inserted();
    await held;
  });
  await hasInserted;
  return {
    async commit() {
      release();
      await done;
    },
  };
}

const change = (db: Database, memberId: number) =>
  changeAccess(db, { atMs: 1, members: [memberId] }, () => Promise.resolve());

describe('the change feed', () => {
  it('sees a change whose lower id becomes visible after a higher one', async () => {
    await using own = await createTestDatabase('mysql');
    const { feed, seen } = follow(own.database);
    await feed.read();
    const early = await openChange(own.database, 1);
    await change(own.database, 2);
    await feed.read();
    expect(seen).toEqual([2]);
    await early.commit();
    await feed.read();
    expect(seen).toEqual([2, 1]);
  });

  it('sees a change that was under way when it first looked', async () => {
    await using own = await createTestDatabase('mysql');
    await change(own.database, 1);
    const early = await openChange(own.database, 2);
    await change(own.database, 3);
    const { feed, seen } = follow(own.database);
    await feed.read();
    await early.commit();
    seen.length = 0;
    await feed.read();
    expect(seen).toEqual([2]);
  });

  it('waits for a gap as long as a transaction may last, and no longer', async () => {
    await using own = await createTestDatabase('mysql');
    const { clock, feed, seen } = follow(own.database);
    await feed.read();
    const slow = await openChange(own.database, 1);
    await change(own.database, 2);
    await feed.read();
    clock.now += LONGEST_TRANSACTION_MS;
    await feed.read();
    await slow.commit();
    await feed.read();
    expect(seen).toEqual([2, 1]);
  });

  it('forgets everything when it slept for longer than the log is kept', async () => {
    await using own = await createTestDatabase('mysql');
    const { clock, feed, lost } = follow(own.database);
    await feed.read();
    await feed.read();
    expect(lost.times).toBe(1);
    clock.now += 31 * 60_000;
    await feed.read();
    expect(lost.times).toBe(2);
  });

  it('forgets everything when the machine was suspended for so long, which its monotonic clock does not tell', async () => {
    await using own = await createTestDatabase('mysql');
    const { clock, feed, lost } = follow(own.database);
    await feed.read();
    clock.wall += 31 * 60_000;
    await feed.read();
    expect(lost.times).toBe(2);
    clock.wall -= 5 * 60_000;
    await feed.read();
    expect(lost.times).toBe(2);
  });
});
