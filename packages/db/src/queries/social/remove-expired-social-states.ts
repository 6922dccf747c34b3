import { asc, inArray, lte } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Removes up to `limit` codes that have expired, used or not; returns how many were removed. */
export async function removeExpiredSocialStates(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const { socialStates } = db.tables;
  const expired = await db
    .select({ key: socialStates.stateKey })
    .from(socialStates)
    .where(lte(socialStates.expiresAtMs, nowMs))
    .orderBy(asc(socialStates.expiresAtMs))
    .limit(limit);
  if (expired.length === 0) return 0;
  const keys = expired.map(({ key }) => key).toSorted();
  return db.write(db.delete(socialStates).where(inArray(socialStates.stateKey, keys)));
}
