import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from './change-access.js';
import { banEnd, baseRole, isBanned } from './member-columns.js';

/** A member's authority as staff, and the state of their address. */
export interface StaffStatus {
  readonly isPersonnel: boolean;
  readonly isDeleted: boolean;
  readonly isBanned: boolean;
  /** The base role, which a ban does not change. */
  readonly roleType: number;
  /** The accounts granted to them; none for disabled staff. */
  readonly grants: ReadonlySet<number>;
  readonly email: string | null;
  readonly isProven: boolean;
  /** Whether their password is unknown and they never signed in, as after an invitation to the staff. */
  readonly hasNotJoined: boolean;
}

/**
 * The handle inside `changeStaffStatus`. Queries that change what a member may do as staff accept no other, so every such
 * change is settled.
 */
export interface StaffTransaction extends AccessTransaction {
  readonly settlesStaff: true;
}

/**
 * Changes what a member may do as staff. `settle` gets what they were before and are after the body.
 * The member's row is locked by the caller.
 */
export async function changeStaffStatus<Result>(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
  body: (tx: StaffTransaction) => Promise<Result>,
  settle: (tx: StaffTransaction, before: StaffStatus, after: StaffStatus) => Promise<void>,
): Promise<Result> {
  const staffTx: StaffTransaction = { ...tx, settlesStaff: true };
  const before = await readStatus(tx, memberId, nowMs);
  const result = await body(staffTx);
  const after = await readStatus(tx, memberId, nowMs);
  if (before !== undefined && after !== undefined) await settle(staffTx, before, after);
  return result;
}

async function readStatus(
  tx: AccessTransaction,
  memberId: number,
  nowMs: number,
): Promise<StaffStatus | undefined> {
  const { members, personnelGrants } = tx.tables;
  const { email, hasPassword, isDeleted, isPersonnel, lastLoginAtMs, ownerProvenAtMs } = members;
  const [member] = await tx
    .select({
      roleType: baseRole(tx.tables),
      bannedUntilMs: banEnd(tx.tables),
      email,
      hasPassword,
      isDeleted,
      isPersonnel,
      lastLoginAtMs,
      ownerProvenAtMs,
    })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined) return undefined;
  const grants = await tx
    .select({ accountId: personnelGrants.accountId })
    .from(personnelGrants)
    .where(
      and(
        eq(personnelGrants.personnelId, memberId),
        eq(personnelGrants.isDeleted, false),
        eq(personnelGrants.active, true),
      ),
    );
  return {
    isPersonnel: member.isPersonnel,
    isDeleted: member.isDeleted,
    isBanned: isBanned(member, nowMs),
    roleType: member.roleType,
    grants: new Set(grants.map(({ accountId }) => accountId)),
    email: member.email,
    isProven: member.ownerProvenAtMs !== null,
    hasNotJoined: !member.hasPassword && member.lastLoginAtMs === null,
  };
}
