import { type SQL, sql } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';

/** Where counting stops: this many stands for that many or more. */
export const MOST_COUNTED = 1_000;

/** How many rows of a table are so, at most `MOST_COUNTED`; no more of them are read. */
export async function countUpTo(db: Database, table: MySqlTable, where: SQL | undefined): Promise<number> {
  const some = db
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(where)
    .limit(MOST_COUNTED)
    .as('some');
  const [row] = await db.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(some);
  return row?.count ?? 0;
}
