import { and, asc, desc, inArray, lt, lte, max, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { databaseTime } from '../access/database-time.js';
import { settleAccessChanges } from '../access/settle-access-changes.js';

/**
 * Removes up to `limit` change-log rows older than `olderThanMs` by the database's clock, lowest first, up to
 * a checkpoint of that age. It keeps the newest row, so that readers can detect missing rows. Returns how
 * many were removed.
 */
export async function pruneAccessChanges(
  db: Database,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
): Promise<number> {
  await settleAccessChanges(db);
  const { accessChanges, accessCheckpoints } = db.tables;
  const { changeId, atMs } = accessCheckpoints;
  const [old] = await db
    .select({ changeId })
    .from(accessCheckpoints)
    .where(lte(atMs, sql`${databaseTime(db)} - ${olderThanMs}`))
    .orderBy(desc(changeId))
    .limit(1);
  if (old === undefined) return 0;
  await db.write(db.delete(accessCheckpoints).where(lt(changeId, old.changeId)));
  const [newest] = await db.select({ id: max(accessChanges.id) }).from(accessChanges);
  const rows = await db
    .select({ id: accessChanges.id })
    .from(accessChanges)
    .where(and(lte(accessChanges.id, old.changeId), lt(accessChanges.id, newest?.id ?? 0)))
    .orderBy(asc(accessChanges.id))
    .limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  return db.write(db.delete(accessChanges).where(inArray(accessChanges.id, ids)));
}
