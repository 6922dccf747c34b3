import { and, asc, eq, not } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isLiveOwner } from './is-live-owner.js';

/** Open accounts whose primary owner is not a live member of role 0 or 1 there, by ascending id. */
export async function listOwnerlessAccounts(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<{ id: number; name: string; ownerId: number }[]> {
  const { accounts } = db.tables;
  const { id, name, ownerId, isDeleted } = accounts;
  return db
    .select({ id, name, ownerId })
    .from(accounts)
    .where(and(eq(isDeleted, false), not(isLiveOwner(db, ownerId, nowMs))))
    .orderBy(asc(id))
    .limit(limit);
}
