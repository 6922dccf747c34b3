import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import type { AccountState } from './find-account-state.js';

/** The present states of several accounts by their ids, deleted ones included; those that do not exist are absent. */
export async function findAccountStates(
  db: Database,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, AccountState>> {
  const { accounts } = db.tables;
  const { id, name, ownerId, isDeleted, createdByPartnerId } = accounts;
  const rows = await db
    .select({ id, name, ownerId, isDeleted, createdByPartnerId })
    .from(accounts)
    .where(amongIds(db, id, accountIds));
  return new Map(rows.map((row) => [row.id, row]));
}
