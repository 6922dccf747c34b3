import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';

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

/** Ends for good a membership that would come back with a deleted member. */
export async function removeReturningPlace(
  tx: AccessTransaction,
  { memberId, accountId, nowMs }: { memberId: number; accountId: number; nowMs: number },
): Promise<void> {
  const { memberships } = tx.tables;
  const isPlace = and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId));
  await tx.write(
    tx
      .update(memberships)
      .set({ endedWithMember: false, updatedAtMs: nowMs })
      .where(and(isPlace, eq(memberships.isDeleted, true))),
  );
}

/**
 * True of memberships that would come back, joined to their member. The release before does not mark what staff end, but
 * writes the same time to all of it.
 */
export function isReturning({ tables: { members, memberships } }: Database): SQL | undefined {
  return and(
    eq(members.isDeleted, true),
    eq(memberships.isDeleted, true),
    or(
      eq(memberships.endedWithMember, true),
      and(
        eq(memberships.updatedAtMs, members.deletedAtMs),
        isNull(members.erasesAtMs),
        isNull(members.deletedById),
      ),
    ),
  );
}
