import { asc, gte, max } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessChange } from './list-access-changes.js';

/** The end of the change log, from a checkpoint on. */
export interface ChangesSinceCheckpoint {
  /** Every id up to this one has had its row. */
  checkpoint: number;
  /** The rows at and above the checkpoint by ascending id, as of one moment. */
  changes: AccessChange[];
}

/** The changes since the newest checkpoint, at most `limit` rows. Undefined without a checkpoint. */
export async function listChangesSinceCheckpoint(
  db: Database,
  limit: number,
): Promise<ChangesSinceCheckpoint | undefined> {
  const { accessChanges, accessCheckpoints } = db.tables;
  const [newest] = await db.select({ id: max(accessCheckpoints.changeId) }).from(accessCheckpoints);
  const checkpoint = newest?.id ?? undefined;
  if (checkpoint === undefined) return undefined;
  const { id, memberId, accountId, partnerId, atMs } = accessChanges;
  const changes = await db
    .select({ id, memberId, accountId, partnerId, atMs })
    .from(accessChanges)
    .where(gte(id, checkpoint))
    .orderBy(asc(id))
    .limit(limit);
  return { checkpoint, changes };
}
