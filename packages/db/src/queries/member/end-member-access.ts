import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Ends every membership, grant and affiliate record of a member, and marks each for a possible restoration.
 */
export async function endMemberAccess(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { memberships, personnelGrants, affiliates } = tx.tables;
  const gone = { isDeleted: true, endedWithMember: true, updatedAtMs: nowMs };
  await tx.write(
    tx
      .update(memberships)
      .set(gone)
      .where(and(eq(memberships.memberId, memberId), eq(memberships.isDeleted, false))),
  );
  await tx.write(
    tx
      .update(personnelGrants)
      .set(gone)
      .where(and(eq(personnelGrants.personnelId, memberId), eq(personnelGrants.isDeleted, false))),
  );
  await tx.write(
    tx
      .update(affiliates)
      .set({ active: false, endedWithMember: true, updatedAtMs: nowMs })
      .where(and(eq(affiliates.memberId, memberId), eq(affiliates.active, true))),
  );
}
