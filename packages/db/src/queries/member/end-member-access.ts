import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Removes every membership and grant of a member. */
export async function endMemberAccess(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const { memberships, personnelGrants } = tx.tables;
  const gone = { isDeleted: true, updatedAtMs: nowMs };
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
}
