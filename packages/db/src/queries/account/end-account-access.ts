import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Takes every membership and every grant of an account away; returns the staff who held a grant. */
export async function endAccountAccess(
  tx: AccessTransaction,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<number[]> {
  const { memberships, personnelGrants } = tx.tables;
  const gone = { isDeleted: true, updatedAtMs: nowMs };
  const granted = and(eq(personnelGrants.accountId, accountId), eq(personnelGrants.isDeleted, false));
  await tx.write(
    tx
      .update(memberships)
      .set(gone)
      .where(and(eq(memberships.accountId, accountId), eq(memberships.isDeleted, false))),
  );
  await tx.write(tx.update(personnelGrants).set(gone).where(granted));
  const holders = await tx
    .select({ personnelId: personnelGrants.personnelId })
    .from(personnelGrants)
    .where(eq(personnelGrants.accountId, accountId));
  return holders.map(({ personnelId }) => personnelId);
}
