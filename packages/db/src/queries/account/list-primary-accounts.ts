import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';

/** The open accounts a member is the primary owner of, all or among the given ones, by ascending id. */
export async function listPrimaryAccounts(
  db: Database,
  memberId: number,
  accountIds?: readonly number[],
): Promise<{ id: number; name: string }[]> {
  if (accountIds?.length === 0) return [];
  const { id, name, ownerId, isDeleted } = db.tables.accounts;
  return db
    .select({ id, name })
    .from(db.tables.accounts)
    .where(
      and(
        eq(ownerId, memberId),
        eq(isDeleted, false),
        accountIds === undefined ? undefined : amongIds(db, id, accountIds),
      ),
    )
    .orderBy(asc(id));
}
