import { and, asc, eq, inArray, lt, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { NOBODY_ID } from './record-refused-login.js';

/**
 * Removes up to `limit` events older than one time, and as many events without a member older than another.
 * Returns how many were removed.
 */
export async function removeOldSecurityEvents(
  db: Database,
  { beforeMs, nobodyBeforeMs, limit }: { beforeMs: number; nobodyBeforeMs: number; limit: number },
): Promise<number> {
  const { atMs, memberId } = db.tables.securityEvents;
  const old = await remove(db, lt(atMs, beforeMs), limit);
  return old + (await remove(db, and(eq(memberId, NOBODY_ID), lt(atMs, nobodyBeforeMs)), limit));
}

async function remove(db: Database, where: SQL | undefined, limit: number): Promise<number> {
  const { securityEvents } = db.tables;
  const { id, atMs } = securityEvents;
  const rows = await db.select({ id }).from(securityEvents).where(where).orderBy(asc(atMs)).limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  return db.write(db.delete(securityEvents).where(inArray(id, ids)));
}
