import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Removes a member from an account; false if they were not in it. */
export async function removeMembership(
  tx: AccessTransaction,
  { memberId, accountId, nowMs }: { memberId: number; accountId: number; nowMs: number },
): Promise<boolean> {
  const { memberships } = tx.tables;
  const rows = await tx.write(
    tx
      .update(memberships)
      .set({ isDeleted: true, updatedAtMs: nowMs })
      .where(
        and(
          eq(memberships.memberId, memberId),
          eq(memberships.accountId, accountId),
          eq(memberships.isDeleted, false),
        ),
      ),
  );
  return rows === 1;
}
