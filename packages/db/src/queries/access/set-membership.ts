import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from './access-transaction.js';

/** Puts a member into an account with a role, or changes what the membership is there already. */
export async function setMembership(
  tx: AccessTransaction,
  membership: { memberId: number; accountId: number; roleType: number; active?: boolean; nowMs: number },
): Promise<void> {
  const { memberships } = tx.tables;
  const { memberId, accountId, roleType, active = true, nowMs } = membership;
  const row = { roleType, active, isDeleted: false, updatedAtMs: nowMs };
  const update = () =>
    tx.write(
      tx
        .update(memberships)
        .set(row)
        .where(and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId))),
    );
  if ((await update()) === 1) return;
  const inserted = await tx.insertOnce(memberships, { ...row, memberId, accountId, createdAtMs: nowMs });
  if (!inserted) await update();
}
