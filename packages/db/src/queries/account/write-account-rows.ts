import { sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { amongIds } from '../page/among-ids.js';

/**
 * Writes the account rows of changed members. Each value is new, because a cluster only notices conflicts
 * between real changes.
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
