import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase } from '@gatehouse/testkit/database';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';

const dialect = inject('dialect');

async function points(db: Database, key: string): Promise<number | undefined> {
  const { limits } = db.tables;
  const [row] = await db.select({ points: limits.points }).from(limits).where(eq(limits.key, key));
  return row?.points;
}

function addPoints(db: Database, key: string, by: number) {
  const { limits } = db.tables;
  return db
    .update(limits)
    .set({ points: sql`${limits.points} + ${by}` })
    .where(eq(limits.key, key));
}

describe('a transaction', () => {
  it('keeps nothing when its body fails', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const failure = new Error('changed my mind');
    const attempt = db.transaction(async (tx) => {
      await tx.insert(tx.tables.limits, { key: 'a', points: 1 });
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await points(db, 'a')).toBeUndefined();
  });

  it('includes a transaction opened inside it', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const attempt = db.transaction(async (tx) => {
      await tx.transaction(async (inner) => {
        await inner.insert(inner.tables.limits, { key: 'a', points: 1 });
      });
      expect(await points(tx, 'a')).toBe(1);
      throw new Error('all of it');
    });
    await expect(attempt).rejects.toThrow('all of it');
    expect(await points(db, 'a')).toBeUndefined();
  });

  it('shows its changes to others only once it is over, and keeps no reader waiting', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await db.insert(db.tables.limits, { key: 'a', points: 1 });
    await db.transaction(async (tx) => {
      await tx.write(addPoints(tx, 'a', 1));
      expect(await points(tx, 'a')).toBe(2);
      const startedMs = performance.now();
      expect(await points(db, 'a')).toBe(1);
      expect(performance.now() - startedMs).toBeLessThan(500);
    });
    expect(await points(db, 'a')).toBe(2);
  });

  it('loses no update among many that read before they write', async () => {
    await using test = await createTestDatabase(dialect);
    await using other = {
      database: await openDatabase(test.url),
      [Symbol.asyncDispose]: () => other.database.close(),
    };
    const { database: db } = test;
    const { limits } = db.tables;
    await db.insert(limits, { key: 'a', points: 0 });
    const increment = (handle: Database) =>
      handle.transaction(async (tx) => {
        await tx.write(addPoints(tx, 'a', 0));
        const before = (await points(tx, 'a')) ?? 0;
        await tx.write(
          tx
            .update(limits)
            .set({ points: before + 1 })
            .where(eq(limits.key, 'a')),
        );
      });
    const handles = [db, other.database];
    await Promise.all(Array.from({ length: 40 }, (_, turn) => increment(handles[turn % 2] ?? db)));
    expect(await points(db, 'a')).toBe(40);
  });

  it('is retried when it deadlocks with another one', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await db.insertMany(db.tables.limits, [
      { key: 'a', points: 0 },
      { key: 'b', points: 0 },
    ]);
    let runs = 0;
    const held = new Set<string>();
    const bothHeld = async () => {
      while (held.size < 2) await pause(5);
    };
    const cross = (first: string, second: string) =>
      db.transaction(async (tx) => {
        runs += 1;
        await tx.write(addPoints(tx, first, 1));
        held.add(first);
        // The embedded database has one writer at a time.
        if (dialect === 'mysql') await bothHeld();
        await tx.write(addPoints(tx, second, 1));
      });
    await Promise.all(Array.from({ length: 6 }, (_, turn) => (turn % 2 ? cross('a', 'b') : cross('b', 'a'))));
    expect(await points(db, 'a')).toBe(6);
    expect(await points(db, 'b')).toBe(6);
    // So only MySQL has conflicts to retry.
    expect(runs > 6).toBe(dialect === 'mysql');
  });

  it('is rolled back when it lasts too long, and its handle is unusable from then on', async () => {
    await using test = await createTestDatabase(dialect, { transactionTimeoutMs: 300 });
    const { database: db } = test;
    let late: Promise<unknown> = Promise.resolve();
    const attempt = db.transaction(async (tx) => {
      await tx.insert(tx.tables.limits, { key: 'a', points: 1 });
      late = pause(600).then(() => tx.insert(tx.tables.limits, { key: 'b', points: 1 }));
      await late;
    });
    await expect(attempt).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      reason: 'timeout',
    });
    await db.insert(db.tables.limits, { key: 'after', points: 1 });
    await expect(late).rejects.toThrow('the database is unavailable: timeout');
    expect(await points(db, 'a')).toBeUndefined();
    expect(await points(db, 'b')).toBeUndefined();
    expect(await points(db, 'after')).toBe(1);
  });

  it('leaves a handle that cannot be used after its end', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const kept = await db.transaction(async (tx) => tx);
    await expect(kept.insert(kept.tables.limits, { key: 'a', points: 1 })).rejects.toThrow('has ended');
    await expect(points(kept, 'a')).rejects.toThrow('has ended');
    expect(await points(db, 'a')).toBeUndefined();
  });
});
