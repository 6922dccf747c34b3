import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { type AccountState, accountStates, toAccountStates } from './find-account-state.js';

/** The current states of several accounts by id, deleted ones included. Unknown ids are absent. */
export async function findAccountStates(
  db: Database,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, AccountState>> {
  const rows = await accountStates(db).where(amongIds(db, db.tables.accounts.id, accountIds));
  return new Map(toAccountStates(rows).map((state) => [state.id, state]));
}
