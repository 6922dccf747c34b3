import { asc, gt, inArray, or, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareOnce } from '../prepare-once.js';

/** One row of the change log: exactly one of the three is set. */
export interface AccessChange {
  id: number;
  memberId: number | null;
  accountId: number | null;
  partnerId: number | null;
  /** When it was made, in epoch milliseconds, by the clock of the node that made it. */
  atMs: number;
}

/** How many rows one call returns at most; fewer mean that nothing more stands there now. */
export const ACCESS_CHANGE_PAGE = 500;

const preparedWithoutHoles = prepareOnce((db) => {
  const { accessChanges } = db.tables;
  return changes(db)
    .where(gt(accessChanges.id, sql.placeholder('afterId')))
    .orderBy(asc(accessChanges.id))
    .limit(ACCESS_CHANGE_PAGE)
    .prepare();
});

/**
 * The changes with an id above `afterId`, and those whose id is among the holes below it, by ascending id. An id is
 * taken before its transaction commits, so a lower one may become visible after a higher one.
 */
export async function listAccessChanges(
  db: Database,
  afterId: number,
  holes: readonly number[],
): Promise<AccessChange[]> {
  if (holes.length === 0) return preparedWithoutHoles(db).execute({ afterId });
  const { accessChanges } = db.tables;
  return changes(db)
    .where(or(gt(accessChanges.id, afterId), inArray(accessChanges.id, [...holes])))
    .orderBy(asc(accessChanges.id))
    .limit(ACCESS_CHANGE_PAGE);
}

function changes(db: Database) {
  const { id, memberId, accountId, partnerId, atMs } = db.tables.accessChanges;
  return db.select({ id, memberId, accountId, partnerId, atMs }).from(db.tables.accessChanges);
}
