import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';

/** These accounts, which exist, without the deleted ones; it asks for those, because they are few. */
export async function withoutDeletedAccounts(db: Database, accountIds: readonly number[]): Promise<number[]> {
  if (accountIds.length === 0) return [];
  const { accounts } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(amongIds(db, accounts.id, accountIds), eq(accounts.isDeleted, true)));
  const deleted = new Set(rows.map(({ id }) => id));
  return accountIds.filter((id) => !deleted.has(id));
}
