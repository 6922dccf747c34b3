import { asc, gte, inArray, max, min, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareRead } from '../prepared.js';

/**
 * One row of the change log. One of the three ids is set; a tombstone has none and fills the id of a change that
 * never happened.
 */
export interface AccessChange {
  id: number;
  memberId: number | null;
  accountId: number | null;
  partnerId: number | null;
  /** When the change was made, in epoch milliseconds of the database's clock. */
  atMs: number;
}

export interface AccessChangePage {
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
  const { id, memberId, accountId, partnerId, atMs } = db.tables.accessChanges;
  return { id, memberId, accountId, partnerId, atMs };
}

function single(query: { getSQL(): SQL }): SQL<number | null> {
  return sql<number | null>`(${query.getSQL()})`;
}
