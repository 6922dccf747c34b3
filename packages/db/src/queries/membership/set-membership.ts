import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { lockMember } from '../access/lock-member.js';

/**
 * Adds a member to an account with a role, or changes their membership there. The member is locked, so that a
 * change of their name cannot miss the new membership.
 */
export async function setMembership(
  tx: AccessTransaction,
  membership: {
    memberId: number;
    accountId: number;
    roleType: number;
    /** The custom role that ranks as `roleType`. */
    customRoleId?: number | null;
    active?: boolean;
    /** Who gives the role; as before by default. */
    grantedById?: number;
    nowMs: number;
  },
): Promise<void> {
  const { memberships } = tx.tables;
  const {
    memberId,
    accountId,
    roleType,
    customRoleId = null,
    active = true,
    grantedById,
    nowMs,
  } = membership;
  const granted = grantedById === undefined ? {} : { grantedById };
  const row = {
    roleType,
    customRoleId,
    active,
    awaitsOwner: false,
    heldSinceMs: null,
    isDeleted: false,
    updatedAtMs: nowMs,
    ...granted,
  };
  const isPlace = and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId));
  const update = () => tx.write(tx.update(memberships).set(row).where(isPlace));
  // A member who comes back has a new join date.
  await tx.write(
    tx
      .update(memberships)
      .set({ createdAtMs: nowMs })
      .where(and(isPlace, eq(memberships.isDeleted, true))),
  );
  if ((await update()) === 1) return;
  const member = await lockMember(tx, { memberId, nowMs });
  const name = member?.usernameKey ?? null;
  const inserted = await tx.insertOnce(memberships, {
    ...row,
    memberId,
    accountId,
    name,
    createdAtMs: nowMs,
  });
  if (!inserted) await update();
}
