import { and, eq, gt } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Opens a closed account again for whoever was in it; false when it is not closed, or what it held is due to be erased. */
export async function reopenAccount(
  tx: AccessTransaction,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({
        isDeleted: false,
        deletedAtMs: null,
        closedById: null,
        closedWithMemberId: null,
        erasesAtMs: null,
        erasureToldAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(accounts.id, accountId), eq(accounts.isDeleted, true), gt(accounts.erasesAtMs, nowMs))),
  );
  return rows === 1;
}
