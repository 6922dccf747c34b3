import { and, eq, or, type Placeholder, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds, besideIndex, idList } from '../page/among-ids.js';
import { prepareRead } from '../prepared.js';

const prepared = prepareRead((db) => selectPlaceAmong(db, sql.placeholder('accountIds')));

/** Whether a member has a live place in one of the accounts, or had one until they were deleted. */
export async function hasPlaceAmong(
  db: Database,
  memberId: number,
  accountIds: readonly number[],
): Promise<boolean> {
  if (accountIds.length === 0) return false;
  const [place] = await prepared(db, { memberId, accountIds: idList(db, accountIds) });
  return place !== undefined;
}

/** The select of one such place. */
export function selectPlaceAmong(db: Database, accountIds: Placeholder) {
  const { memberships } = db.tables;
  const isLive = and(eq(memberships.isDeleted, false), eq(memberships.active, true));
  return db
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, sql.placeholder('memberId')),
        amongIds(db, besideIndex(db, memberships.accountId), accountIds),
        or(isLive, eq(memberships.endedWithMember, true)),
      ),
    )
    .limit(1);
}
