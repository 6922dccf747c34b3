import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Changes the primary owner of an open account. False when the current one is not the expected one. */
export async function setAccountOwner(
  tx: AccessTransaction,
  change: { accountId: number; ownerId: number; expectedOwnerId: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const { accountId, ownerId, expectedOwnerId, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({ ownerId, updatedAtMs: nowMs })
      .where(
        and(eq(accounts.id, accountId), eq(accounts.ownerId, expectedOwnerId), eq(accounts.isDeleted, false)),
      ),
  );
  return rows === 1;
}
