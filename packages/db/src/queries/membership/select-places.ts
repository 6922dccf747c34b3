import { and, asc, eq, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { countUpTo } from '../page/count-up-to.js';
import type { MemberScope } from './member-scope.js';

/** A member's place in an account. */
export interface PlaceRow {
  accountId: number;
  accountName: string;
  /** The primary owner of the account. */
  ownerId: number;
  /** Closed accounts are deleted, too. */
  isClosed: boolean;
  roleType: number;
  customRoleId: number | null;
  /** What the account calls a role of its own. */
  customRoleName: string | null;
  customRoleType: number | null;
  /** False for one that was switched off. */
  active: boolean;
  /** Whether it ended when the member was deleted. */
  hasEnded: boolean;
  joinedAtMs: number;
}

/** How many there are, at most `MOST_COUNTED`. */
export function countPlaces(db: Database, memberId: number, scope: MemberScope): Promise<number> {
  const { memberships } = db.tables;
  const among = scope.all ? undefined : amongIds(db, memberships.accountId, scope.accountIds);
  return countUpTo(db, memberships, and(isPlaceOf(db, memberId), among));
}

/**
 * The select of the memberships of a member, by account, with those that ended when the member was deleted; removed ones
 * are left out.
 * @param accountIds only those in these accounts
 */
export function selectPlaces(db: Database, accountIds?: Placeholder) {
  const { accounts, customRoles, memberships } = db.tables;
  const { accountId, roleType, customRoleId, active, createdAtMs } = memberships;
  return db
    .select({
      accountId,
      accountName: accounts.name,
      ownerId: accounts.ownerId,
      isClosed: accounts.isDeleted,
      roleType,
      customRoleId,
      customRoleName: customRoles.name,
      customRoleType: customRoles.roleType,
      active,
      hasEnded: memberships.isDeleted,
      joinedAtMs: createdAtMs,
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(customRoles, eq(customRoles.id, customRoleId))
    .where(
      and(
        isPlaceOf(db, sql.placeholder('memberId')),
        accountIds === undefined ? undefined : amongIds(db, accountId, accountIds),
      ),
    )
    .orderBy(asc(accountId))
    .limit(sql.placeholder('limit'));
}

function isPlaceOf({ tables: { memberships } }: Database, memberId: number | Placeholder): SQL | undefined {
  const { isDeleted, endedWithMember } = memberships;
  return and(eq(memberships.memberId, memberId), or(eq(isDeleted, false), eq(endedWithMember, true)));
}
