import { and, eq } from 'drizzle-orm';
import type { StaffTransaction } from '../access/change-staff-standing.js';

/** Grants a staff member an account, or enables or disables an existing grant. */
export async function setPersonnelGrant(
  tx: StaffTransaction,
  grant: { personnelId: number; accountId: number; active?: boolean; nowMs: number },
): Promise<void> {
  const { personnelGrants } = tx.tables;
  const { personnelId, accountId, active = true, nowMs } = grant;
  const row = { active, isDeleted: false, updatedAtMs: nowMs };
  const update = () =>
    tx.write(
      tx
        .update(personnelGrants)
        .set(row)
        .where(and(eq(personnelGrants.personnelId, personnelId), eq(personnelGrants.accountId, accountId))),
    );
  if ((await update()) === 1) return;
  const inserted = await tx.insertOnce(personnelGrants, {
    ...row,
    personnelId,
    accountId,
    createdAtMs: nowMs,
  });
  if (!inserted) await update();
}
