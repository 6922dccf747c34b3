import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';
import { removeMember } from './remove-member.js';

/**
 * Deletes a member at their own request, and marks the memberships that ended with them. They can come back
 * until they are erased. False if they were already deleted.
 */
export async function deleteOwnMember(
  tx: AccessTransaction,
  { memberId, erasesAtMs, nowMs }: { memberId: number; erasesAtMs: number; nowMs: number },
): Promise<boolean> {
  if (!(await removeMember(tx, { memberId, nowMs }))) return false;
  const { members, memberships } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ erasesAtMs, ...NO_PENDING_ADDRESS })
      .where(eq(members.id, memberId)),
  );
  await tx.write(
    tx
      .update(memberships)
      .set({ isDeleted: true, endedWithMember: true, updatedAtMs: nowMs })
      .where(and(eq(memberships.memberId, memberId), eq(memberships.isDeleted, false))),
  );
  return true;
}
