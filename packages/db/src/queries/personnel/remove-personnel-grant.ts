import { and, eq } from 'drizzle-orm';
import type { StaffTransaction } from '../access/change-staff-standing.js';

/** Removes a staff member's grant in an account. False when there was none. */
export async function removePersonnelGrant(
  tx: StaffTransaction,
  { personnelId, accountId, nowMs }: { personnelId: number; accountId: number; nowMs: number },
): Promise<boolean> {
  const { personnelGrants } = tx.tables;
  const rows = await tx.write(
    tx
      .update(personnelGrants)
      .set({ isDeleted: true, updatedAtMs: nowMs })
      .where(
        and(
          eq(personnelGrants.personnelId, personnelId),
          eq(personnelGrants.accountId, accountId),
          eq(personnelGrants.isDeleted, false),
        ),
      ),
  );
  return rows === 1;
}
