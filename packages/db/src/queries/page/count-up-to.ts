import { type SQL, sql } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';

/** Where counting stops: this many stands for that many or more. */
export const MOST_COUNTED = 1_000;

/** How many rows of a table are so, at most `MOST_COUNTED`; no more of them are read. */
export async function countUpTo(db: Database, table: MySqlTable, where: SQL | undefined): Promise<number> {
  const [row] = await selectCountUpTo(db, table, where);
  return row?.count ?? 0;
}

/** The select of this count. */
export function selectCountUpTo(db: Database, table: MySqlTable, where: SQL | undefined) {
  const some = sql`(select 1 from ${table} where ${where} limit ${sql.raw(String(MOST_COUNTED))}) some`;
  return db.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(some);
}
