import { asc } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** When the oldest line of the audit log was written, in epoch milliseconds; undefined if there is none. */
export async function findOldestAudit(db: Database): Promise<number | undefined> {
  const { atMs } = db.tables.auditLog;
  const [row] = await db.select({ atMs }).from(db.tables.auditLog).orderBy(asc(atMs)).limit(1);
  return row?.atMs;
}
