import { type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';

/** The database server's clock, in epoch milliseconds, as part of a select. */
export function databaseTime(db: Database): SQL<number> {
  return db.dialect === 'mysql'
    ? sql<number>`cast(unix_timestamp(now(3)) * 1000 as signed)`
    : sql<number>`cast(round((julianday('now') - 2440587.5) * 86400000) as integer)`;
}

/** The database server's clock, as a value for a row to be inserted. */
export function databaseInstant(db: Database): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder writes an expression into the statement where it stands in the place of a value
  return databaseTime(db) as unknown as number;
}

/** The latest of a column's instant and others: a node whose clock is behind cannot move it back. None of them is null. */
export function notEarlier(
  db: Database,
  column: MySqlColumn,
  ...instants: readonly (number | SQL<number>)[]
): SQL<number> {
  const latest = db.dialect === 'mysql' ? sql`greatest` : sql`max`;
  return sql<number>`${latest}(${sql.join([column, ...instants], sql`, `)})`;
}

/** The database server's clock, in epoch milliseconds. The embedded database uses its machine's. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const [row] = await db.select({ nowMs: databaseTime(db) }).from(sql`(select 1 as one) as clock`);
  if (row === undefined) throw new Error('the database did not tell its time');
  return Number(row.nowMs);
}
