import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { type LockMode, lockRows } from './lock-rows.js';

/** Locks accounts until the transaction ends. */
export async function lockAccountRows(
  tx: Database,
  accountIds: readonly number[],
  mode: LockMode,
): Promise<void> {
  const { accounts } = tx.tables;
  const where = amongIds(tx, accounts.id, accountIds);
  await lockRows(tx, accounts, { column: accounts.createdAtMs, where, mode });
}
