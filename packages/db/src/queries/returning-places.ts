import { and, asc, eq, gt, isNull, ne, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import { type ConsentRow, removeConsentsIn } from './consents.js';
import { inIds } from './paging.js';

/** A membership that ended with its member's deletion, and comes back with them. */
export interface ReturningPlace {
  accountId: number;
  roleType: number;
  customRoleId: number | null;
  /** False for one that comes back without access. */
  active: boolean;
  /** Whether one without access awaits an owner's approval. */
  awaitsOwner: boolean;
  /** Who gave the role; null if unknown. */
  grantedById: number | null;
  /** The primary owner of the account. */
  ownerId: number;
  /** Whether the account is closed, and would stay closed if the member came back. */
  staysClosed: boolean;
}

/** The memberships that would come back with a deleted member, by account; closed accounts are included. */
export async function listReturningPlaces(db: Database, memberId: number): Promise<ReturningPlace[]> {
  const { accounts, members, memberships } = db.tables;
  const { accountId, roleType, customRoleId, active, awaitsOwner, grantedById } = memberships;
  const { ownerId, isDeleted: isClosed, closedWithMemberId } = accounts;
  const place = { accountId, roleType, customRoleId, active, awaitsOwner, grantedById, ownerId };
  const rows = await db
    .select({ ...place, isClosed, closedWithMemberId })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(and(eq(memberships.memberId, memberId), isReturning(db)))
    .orderBy(asc(accountId));
  return rows.map(({ isClosed: closed, closedWithMemberId: closedWith, ...row }) => ({
    staysClosed: closed && closedWith !== memberId,
    ...row,
  }));
}

/** The membership of an account that would come back with a deleted member. */
export async function findReturningPlace(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<ReturningPlace | undefined> {
  const places = await listReturningPlaces(db, memberId);
  return places.find((place) => place.accountId === accountId);
}

/**
 * Ends for good a membership that would come back with a deleted member. Returns the consents that the member gave to
 * applications there.
 */
export async function removeReturningPlace(
  tx: AccessTransaction,
  { memberId, accountId, nowMs }: { memberId: number; accountId: number; nowMs: number },
): Promise<ConsentRow[]> {
  const { memberships } = tx.tables;
  const isPlace = and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId));
  await tx.write(
    tx
      .update(memberships)
      .set({ endedWithMember: false, updatedAtMs: nowMs })
      .where(and(isPlace, eq(memberships.isDeleted, true))),
  );
  return removeConsentsIn(tx, { memberId, accountId });
}

/** True of memberships that would come back, joined to their member. */
function isReturning({ tables: { members, memberships } }: Database): SQL | undefined {
  return and(
    eq(members.isDeleted, true),
    eq(memberships.isDeleted, true),
    eq(memberships.endedWithMember, true),
  );
}

/** A membership that gives no access now, and the member. */
export interface AwayPlace {
  memberId: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  roleType: number;
  customRoleId: number | null;
  /** Whether it gives access again once the member is restored. */
  active: boolean;
  isDeleted: boolean;
  /** The member of staff who deleted the member. */
  deletedById: number | null;
  /** When a member who deleted themselves is erased; null for others. */
  erasesAtMs: number | null;
}

/**
 * The memberships of an account that await an owner's approval, and those that come back if their deleted member is restored, by
 * ascending member id; `afterId` pages on.
 * @param page `removedSinceMs` is the earliest deletion by staff that staff can undo
 */
export function listAwayPlaces(
  db: Database,
  accountId: number,
  page: { afterId: number; limit: number; removedSinceMs: number; nowMs: number },
): Promise<AwayPlace[]> {
  const { members, memberships } = db.tables;
  const { username, firstName, lastName, email, isDeleted, deletedAtMs, deletedById, erasesAtMs } = members;
  const { memberId, roleType, customRoleId, active } = memberships;
  const isWaiting = and(
    eq(memberships.isDeleted, false),
    eq(active, false),
    eq(memberships.awaitsOwner, true),
    eq(members.isDeleted, false),
  );
  const mayReturn = or(
    gt(erasesAtMs, page.nowMs),
    and(isNull(erasesAtMs), isNull(members.erasedAtMs), gt(deletedAtMs, page.removedSinceMs)),
  );
  return db
    .select({
      memberId,
      username,
      firstName,
      lastName,
      email,
      roleType,
      customRoleId,
      active,
      isDeleted,
      deletedById,
      erasesAtMs,
    })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        gt(memberId, page.afterId),
        or(isWaiting, and(isReturning(db), mayReturn)),
      ),
    )
    .orderBy(asc(memberId))
    .limit(page.limit);
}

/**
 * Makes the memberships of an account that would come back with deleted members await an owner's approval then. Those that staff
 * switched off stay as they are. The account's row is locked.
 * @param which with `memberId` only the membership of that member
 */
export async function suspendReturningPlaces(
  tx: AccessTransaction,
  { accountId, memberId }: { accountId: number; memberId?: number },
): Promise<void> {
  const { members, memberships } = tx.tables;
  const rows = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        memberId === undefined ? undefined : eq(memberships.memberId, memberId),
        isReturning(tx),
      ),
    );
  await suspend(tx, rows);
}

/**
 * Makes the memberships of a member in closed accounts await an owner's approval, so that the accounts come back without the
 * member. Accounts of which the member is the primary owner are left out.
 */
export async function suspendPlacesInClosedAccounts(tx: AccessTransaction, memberId: number): Promise<void> {
  const { accounts, memberships } = tx.tables;
  const rows = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        eq(memberships.memberId, memberId),
        or(eq(memberships.isDeleted, false), eq(memberships.endedWithMember, true)),
        eq(accounts.isDeleted, true),
        ne(accounts.ownerId, memberId),
      ),
    );
  await suspend(tx, rows);
}

/** The time of the last change is kept: it shows which memberships ended with a member. */
async function suspend(tx: AccessTransaction, rows: readonly { id: number }[]): Promise<void> {
  if (rows.length === 0) return;
  const { id, active } = tx.tables.memberships;
  const ids = rows.map((row) => row.id);
  await tx.write(
    tx
      .update(tx.tables.memberships)
      .set({ active: false, awaitsOwner: true })
      .where(and(inIds(tx, id, ids), eq(active, true))),
  );
}
