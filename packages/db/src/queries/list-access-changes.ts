import { asc, gte, inArray, max, min, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { prepareRead } from './prepared.js';

/**
 * One row of the change log. One of the four ids is set; a tombstone has none and fills the id of a change that
 * never happened.
 */
export interface AccessChange {
  id: number;
  memberId: number | null;
  accountId: number | null;
  partnerId: number | null;
  applicationId: number | null;
  /** When the change was made, in epoch milliseconds of the database's clock. */
  atMs: number;
}

interface AccessChangePage {
  /** By ascending id. */
  changes: AccessChange[];
  /**
   * At that moment every id up to this one had a row, which may have been pruned. 0 if no gaps were given.
   */
  settledId: number;
}

/** The page size. A shorter page means there are no more rows yet. */
export const ACCESS_CHANGE_PAGE = 500;

const preparedWithoutGaps = prepareRead((db) => {
  const { accessChanges } = db.tables;
  return db
    .select(columns(db))
    .from(accessChanges)
    .where(gte(accessChanges.id, sql.placeholder('fromId')))
    .orderBy(asc(accessChanges.id))
    .limit(ACCESS_CHANGE_PAGE);
});

/**
 * The changes from `fromId` on, and those in the gaps below it, as of one moment. An id is taken before its
 * transaction commits, so a lower id may become visible after a higher one.
 */
export async function listAccessChanges(
  db: Database,
  fromId: number,
  gaps: readonly number[],
): Promise<AccessChangePage> {
  if (gaps.length === 0) return { changes: await preparedWithoutGaps(db, { fromId }), settledId: 0 };
  const { accessChanges, accessCheckpoints } = db.tables;
  const rows = await db
    .select({
      ...columns(db),
      lowestId: single(db.select({ id: min(accessChanges.id) }).from(accessChanges)),
      checkpoint: single(db.select({ id: max(accessCheckpoints.changeId) }).from(accessCheckpoints)),
    })
    .from(accessChanges)
    .where(or(gte(accessChanges.id, fromId), inArray(accessChanges.id, [...gaps])))
    .orderBy(asc(accessChanges.id))
    .limit(ACCESS_CHANGE_PAGE);
  const [first] = rows;
  return {
    changes: rows.map(({ lowestId: _lowestId, checkpoint: _checkpoint, ...change }) => change),
    settledId: Math.max((first?.lowestId ?? 1) - 1, first?.checkpoint ?? 0),
  };
}

function columns(db: Database) {
  const { id, memberId, accountId, partnerId, applicationId, atMs } = db.tables.accessChanges;
  return { id, memberId, accountId, partnerId, applicationId, atMs };
}

function single(query: { getSQL(): SQL }): SQL<number | null> {
  return sql<number | null>`(${query.getSQL()})`;
}

/** The end of the change log, from a checkpoint on. */
interface ChangesSinceCheckpoint {
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
  const changes = await db
    .select(columns(db))
    .from(accessChanges)
    .where(gte(accessChanges.id, checkpoint))
    .orderBy(asc(accessChanges.id))
    .limit(limit);
  return { checkpoint, changes };
}

/** The first missing ids above `afterId` and below the last of `ids`, at most `limit`. `ids` ascend. */
export function missingIds(afterId: number, ids: readonly number[], limit: number): number[] {
  const missing: number[] = [];
  let next = afterId + 1;
  for (const id of ids) {
    for (; next < id; next += 1) {
      if (missing.length === limit) return missing;
      missing.push(next);
    }
    next = Math.max(next, id + 1);
  }
  return missing;
}
