import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Closes an account to everybody. False if it was closed before. Memberships are kept, so that it can be
 * reopened until `erasesAtMs`.
 */
export async function shutAccount(
  tx: AccessTransaction,
  closing: {
    accountId: number;
    closedById: number;
    /** The member whose deletion closes the account. */
    closedWithMemberId?: number;
    erasesAtMs: number;
    nowMs: number;
  },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const { accountId, closedById, closedWithMemberId = null, erasesAtMs, nowMs } = closing;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({
        isDeleted: true,
        deletedAtMs: nowMs,
        closedById,
        closedWithMemberId,
        erasesAtMs,
        erasureToldAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(accounts.id, accountId), eq(accounts.isDeleted, false))),
  );
  return rows === 1;
}
