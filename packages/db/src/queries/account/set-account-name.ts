import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Renames an open account. */
export async function setAccountName(
  tx: AccessTransaction,
  change: { accountId: number; name: string; nameKey: string; nowMs: number },
): Promise<void> {
  const { accounts } = tx.tables;
  const { accountId, name, nameKey, nowMs } = change;
  await tx.write(
    tx
      .update(accounts)
      .set({ name, nameKey, updatedAtMs: nowMs })
      .where(and(eq(accounts.id, accountId), eq(accounts.isDeleted, false))),
  );
}
