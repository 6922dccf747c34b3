import { and, eq, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';

/** Whether a member has a live place in one of the accounts, or had one until they were deleted. */
export async function hasPlaceAmong(
  db: Database,
  memberId: number,
  accountIds: readonly number[],
): Promise<boolean> {
  if (accountIds.length === 0) return false;
  const { memberships } = db.tables;
  const isLive = and(eq(memberships.isDeleted, false), eq(memberships.active, true));
  const [place] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        amongIds(db, memberships.accountId, accountIds),
        or(isLive, eq(memberships.endedWithMember, true)),
      ),
    )
    .limit(1);
  return place !== undefined;
}
