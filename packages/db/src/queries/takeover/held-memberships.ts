import { and, asc, eq, gt, isNotNull, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { inAccountScope } from '../membership/in-account-scope.js';
import type { MemberScope } from '../membership/member-scope.js';

/** A membership that a take-over may have switched off. */
export interface HeldMembership {
  id: number;
  accountId: number;
  accountName: string;
  memberId: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  roleType: number;
  customRoleId: number | null;
  /** What the account calls a role of its own, and its present rank. */
  customRoleName: string | null;
  customRoleType: number | null;
  joinedAtMs: number;
  active: boolean;
  /** Since when it awaits the decision of the account's owner; null where it does not. */
  heldSinceMs: number | null;
}

/** The held memberships in the accounts of a primary owner, by ascending id; `afterId` pages on. */
export async function listHeldMemberships(
  db: Database,
  { ownerId, scope }: { ownerId: number; scope: MemberScope },
  { afterId, limit }: { afterId: number; limit: number },
): Promise<HeldMembership[]> {
  const { accounts, memberships } = db.tables;
  const isOwn = and(eq(accounts.ownerId, ownerId), eq(accounts.isDeleted, false));
  const isInScope = inAccountScope(db, accounts.id, scope);
  const isHeld = and(eq(memberships.active, false), isNotNull(memberships.heldSinceMs));
  return selectPlaces(db, and(isOwn, isInScope, isHeld, gt(memberships.id, afterId)), limit);
}

/** A membership that is not removed, whoever owns its account. */
export async function findDecidableMembership(
  db: Database,
  membershipId: number,
): Promise<HeldMembership | undefined> {
  const [row] = await selectPlaces(db, eq(db.tables.memberships.id, membershipId), 1);
  return row;
}

/** Switches a held membership on again, or removes it. False if it is not held any more. */
export async function settleHeldMembership(
  tx: AccessTransaction,
  { membershipId, keep, nowMs }: { membershipId: number; keep: boolean; nowMs: number },
): Promise<boolean> {
  const { memberships } = tx.tables;
  const outcome = keep ? { active: true } : { isDeleted: true };
  const rows = await tx.write(
    tx
      .update(memberships)
      .set({ ...outcome, heldSinceMs: null, updatedAtMs: nowMs })
      .where(
        and(
          eq(memberships.id, membershipId),
          eq(memberships.isDeleted, false),
          isNotNull(memberships.heldSinceMs),
        ),
      ),
  );
  return rows === 1;
}

async function selectPlaces(db: Database, where: SQL | undefined, limit: number): Promise<HeldMembership[]> {
  const { accounts, customRoles, members, memberships } = db.tables;
  const { id, memberId, accountId, roleType, customRoleId, active, createdAtMs, heldSinceMs } = memberships;
  const { username, firstName, lastName, email } = members;
  return db
    .select({
      id,
      accountId,
      accountName: accounts.name,
      memberId,
      username,
      firstName,
      lastName,
      email,
      roleType,
      customRoleId,
      customRoleName: customRoles.name,
      customRoleType: customRoles.roleType,
      active,
      joinedAtMs: createdAtMs,
      heldSinceMs,
    })
    .from(accounts)
    .innerJoin(memberships, eq(accountId, accounts.id))
    .innerJoin(members, eq(members.id, memberId))
    .leftJoin(customRoles, eq(customRoles.id, customRoleId))
    .where(and(where, eq(memberships.isDeleted, false)))
    .orderBy(asc(id))
    .limit(limit);
}
