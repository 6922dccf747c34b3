import { sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { databaseTime } from '../access/database-time.js';

/** The database server's clock, in epoch milliseconds. The embedded database uses its machine's. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const [row] = await db.select({ nowMs: databaseTime(db) }).from(sql`(select 1 as one) as clock`);
  if (row === undefined) throw new Error('the database did not tell its time');
  return Number(row.nowMs);
}
