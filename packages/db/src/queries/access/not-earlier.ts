import { type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';

/** The latest of a column's instant and others: a node whose clock is behind takes nothing back. None of them is null. */
export function notEarlier(
  db: Database,
  column: MySqlColumn,
  ...instants: readonly (number | SQL<number>)[]
): SQL<number> {
  const latest = db.dialect === 'mysql' ? sql`greatest` : sql`max`;
  return sql<number>`${latest}(${sql.join([column, ...instants], sql`, `)})`;
}
