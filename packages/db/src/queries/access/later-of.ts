import { type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';

/** The later of an instant that is stored and another one: what a node with a slow clock writes never takes one back. */
export function laterOf(stored: MySqlColumn, instant: number | SQL<number>): SQL<number> {
  return sql<number>`case when ${stored} > ${instant} then ${stored} else ${instant} end`;
}
