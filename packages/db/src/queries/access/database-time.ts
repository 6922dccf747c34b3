import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The database server's clock, in epoch milliseconds, as part of a select. */
export function databaseTime(db: Database): SQL<number> {
  return db.dialect === 'mysql'
    ? sql<number>`cast(unix_timestamp(now(3)) * 1000 as signed)`
    : sql<number>`cast(round((julianday('now') - 2440587.5) * 86400000) as integer)`;
}
