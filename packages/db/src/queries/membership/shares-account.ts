import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';

/** Whether a member has a live membership in one of the accounts. */
export async function sharesAccount(
  db: Database,
  memberId: number,
  accountIds: readonly number[],
): Promise<boolean> {
  if (accountIds.length === 0) return false;
  const { memberships } = db.tables;
  const [shared] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        amongIds(db, memberships.accountId, accountIds),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    )
    .limit(1);
  return shared !== undefined;
}
