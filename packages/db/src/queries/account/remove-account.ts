import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Deletes an account softly, which closes it to everybody; false when that was done before. */
export async function removeAccount(
  tx: AccessTransaction,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({ isDeleted: true, deletedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(accounts.id, accountId), eq(accounts.isDeleted, false))),
  );
  return rows === 1;
}
