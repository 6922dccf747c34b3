import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Which of these accounts exist and are not deleted. */
export async function listLiveAccountIds(db: Database, accountIds: readonly number[]): Promise<number[]> {
  if (accountIds.length === 0) return [];
  const { accounts } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, [...accountIds]), eq(accounts.isDeleted, false)));
  return rows.map(({ id }) => id);
}
