import { and, asc, type Column, eq, not, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { type MemberPlace, placeColumns } from './member-columns.js';
import { inAccountScope, type MemberScope } from './member-scope.js';
import { besideIndex, countUpTo, idList, inIds } from './paging.js';
import { prepareRead } from './prepared.js';

/** The live membership of a member in an account. */
export async function findPlace(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<MemberPlace | undefined> {
  const { memberships } = db.tables;
  const [row] = await db
    .select(placeColumns(db.tables))
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        eq(memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    );
  return row;
}

const preparedPlace = prepareRead((db) => selectPlaceAmong(db, sql.placeholder('accountIds')));

/** Whether a member has a live place in one of the accounts, or had one until they were deleted. */
export async function hasPlaceAmong(
  db: Database,
  memberId: number,
  accountIds: readonly number[],
): Promise<boolean> {
  if (accountIds.length === 0) return false;
  const [place] = await preparedPlace(db, { memberId, accountIds: idList(db, accountIds) });
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
        inIds(db, besideIndex(db, memberships.accountId), accountIds),
        or(isLive, eq(memberships.endedWithMember, true)),
      ),
    )
    .limit(1);
}

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
  /** The name of a custom role. */
  customRoleName: string | null;
  customRoleType: number | null;
  /** False for one that was switched off. */
  active: boolean;
  /** Whether it ended when the member was deleted. */
  hasEnded: boolean;
  joinedAtMs: number;
}

/** Accounts to which a list is confined, or which it leaves out. */
export interface GivenAccounts {
  readonly ids: Placeholder;
  readonly are: 'in' | 'out';
}

/** How many there are, at most `MAX_COUNTED`. */
export function countPlaces(db: Database, memberId: number, scope: MemberScope): Promise<number> {
  const { memberships } = db.tables;
  const isInScope = inAccountScope(db, memberships.accountId, scope);
  return countUpTo(db, memberships, and(isPlaceOf(db, memberId), isInScope));
}

/**
 * The select of the memberships of a member, by account, with those that ended when the member was deleted; removed ones
 * are left out.
 * @param given only those in the given accounts, or only those in others
 */
export function selectPlaces(db: Database, given?: GivenAccounts) {
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
        given === undefined ? undefined : isAmong(db, accountId, given),
      ),
    )
    .orderBy(asc(accountId))
    .limit(sql.placeholder('limit'));
}

function isAmong(db: Database, accountId: Column, { ids, are }: GivenAccounts): SQL {
  const among = inIds(db, besideIndex(db, accountId), ids);
  return are === 'in' ? among : not(among);
}

function isPlaceOf({ tables: { memberships } }: Database, memberId: number | Placeholder): SQL | undefined {
  const { isDeleted, endedWithMember } = memberships;
  return and(eq(memberships.memberId, memberId), or(eq(isDeleted, false), eq(endedWithMember, true)));
}
