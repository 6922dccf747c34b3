import { type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';

/** The later of a column's instant and the given one: a node whose clock is behind takes nothing back. The column is not null. */
export function notEarlier(db: Database, column: MySqlColumn, ms: number): SQL<number> {
  return db.dialect === 'mysql'
    ? sql<number>`greatest(${column}, ${ms})`
    : sql<number>`max(${column}, ${ms})`;
}
