import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { pinnedTo } from '../page/pinned-to.js';

/**
 * A live membership, read from the index over an account's members. The name is null if it is not known yet.
 */
export interface MembershipRow {
  accountId: number;
  memberId: number;
  name: string | null;
}

/** The live memberships of one account by ascending member id; `afterId` pages on. Deleted members may be included. */
export function listAccountMembers(
  db: Database,
  accountId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<MembershipRow[]> {
  const { memberships } = db.tables;
  return membershipRows(db)
    .where(
      and(
        pinnedTo(db, memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        gt(memberships.memberId, afterId),
      ),
    )
    .orderBy(
      asc(memberships.accountId),
      asc(memberships.isDeleted),
      asc(memberships.active),
      asc(memberships.memberId),
    )
    .limit(limit);
}

/** The live memberships of several members, in any account. */
export function listMembershipRowsOf(db: Database, memberIds: readonly number[]): Promise<MembershipRow[]> {
  const { memberId, isDeleted, active } = db.tables.memberships;
  return membershipRows(db).where(
    and(amongIds(db, memberId, memberIds), eq(isDeleted, false), eq(active, true)),
  );
}

function membershipRows(db: Database) {
  const { accountId, memberId, name } = db.tables.memberships;
  return db.select({ accountId, memberId, name }).from(db.tables.memberships);
}
