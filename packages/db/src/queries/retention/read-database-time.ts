import { sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { databaseTime } from '../access/database-time.js';

/** The database server's own clock, in epoch milliseconds; the embedded database has that of its machine. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const [row] = await db.select({ nowMs: databaseTime(db) }).from(sql`(select 1 as one) as clock`);
  if (row === undefined) throw new Error('the database did not tell its time');
  return Number(row.nowMs);
}
