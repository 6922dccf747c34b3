import { createTestDatabase } from '@gatehouse/testkit';
import { createConnection } from 'mysql2/promise';
import { expect, it } from 'vitest';
import type { Database } from './database.js';

it('a transaction that waited in vain for a row leaves the others the time they have', async () => {
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
