import { sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { amongIds } from '../page/among-ids.js';

/**
 * Writes the rows of accounts whose members change. Each value is new, because a cluster notices a conflict only between
 * changes.
 */
export async function writeAccountRows(
  tx: AccessTransaction,
  accountIds: readonly number[],
  nowMs: number,
): Promise<void> {
  if (accountIds.length === 0) return;
  const { accounts } = tx.tables;
  const { updatedAtMs } = accounts;
  const later = sql`case when ${updatedAtMs} >= ${nowMs} then ${updatedAtMs} + 1 else ${nowMs} end`;
  await tx.write(
    tx
      .update(accounts)
      .set({ updatedAtMs: later })
      .where(amongIds(tx, accounts.id, accountIds)),
  );
}
