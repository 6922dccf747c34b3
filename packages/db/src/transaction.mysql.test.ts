import { createTestDatabase } from '@gatehouse/testkit/database';
import { eq, sql } from 'drizzle-orm';
import { createConnection } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';

const dialect = 'mysql';

async function points(db: Database, key: string): Promise<number | undefined> {
  const { limits } = db.tables;
  const [row] = await db.select({ points: limits.points }).from(limits).where(eq(limits.key, key));
  return row?.points;
}

describe('a transaction on MySQL', () => {
  it('sees rows that others committed since it began', async () => {
    await using test = await createTestDatabase(dialect);
    await using other = {
      database: await openDatabase(test.url),
      [Symbol.asyncDispose]: () => other.database.close(),
    };
    const { database: db } = test;
    await db.insert(db.tables.limits, { key: 'a', points: 1 });
    await db.transaction(async (tx) => {
      expect(await points(tx, 'a')).toBe(1);
      await other.database.write(other.database.update(db.tables.limits).set({ points: 6 }));
      expect(await points(tx, 'a')).toBe(6);
    });
  });

  it('commits nothing after a statement met an outage, even if the body goes on', async () => {
    await using test = await createTestDatabase(dialect, { queryTimeoutMs: 200 });
    const { database: db } = test;
    await db.insert(db.tables.limits, { key: 'held', points: 0 });
    const attempt = db.transaction(async (tx) => {
      await tx.insert(tx.tables.limits, { key: 'a', points: 1 });
      await tx
        .select({ slept: sql`sleep(1)` })
        .from(tx.tables.limits)
        .catch(() => undefined);
      await tx.insert(tx.tables.limits, { key: 'b', points: 1 }).catch(() => undefined);
    });
    await expect(attempt).rejects.toMatchObject({ name: 'DatabaseUnavailableError', reason: 'timeout' });
    expect(await points(db, 'a')).toBeUndefined();
    expect(await points(db, 'b')).toBeUndefined();
  });
});

it('on MySQL, a transaction that waited in vain for a row takes no time from the others', async () => {
  await using own = await createTestDatabase('mysql');
  const { database } = own;
  const run = (sql: string) =>
    database.transaction((tx: Database) => tx.write({ toSQL: () => ({ sql, params: [] }) }));
  await database.insert(database.tables.leases, { name: 'held', token: 'a', leaseUntilMs: 0, dueAtMs: 0 });
  const somebody = await createConnection(own.url);
  await somebody.query('start transaction');
  await somebody.query("select * from leases where name = 'held' for update");
  const outcomes = [
    await outcomeOf(run("update leases set token = 'b' where name = 'held'")),
    await outcomeOf(run('do sleep(1)')),
  ];
  await somebody.end();
  expect(outcomes).toEqual(['DatabaseUnavailableError', 'done']);
});

function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
  );
}
