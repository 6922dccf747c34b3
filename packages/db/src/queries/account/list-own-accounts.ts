import { and, asc, eq, gt, isNotNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { type AccountDetail, accountDetailColumns } from './find-account.js';

/** The given accounts that are open or can be restored, by ascending id; `afterId` pages on. */
export async function listOwnAccounts(
  db: Database,
  accountIds: readonly number[],
  page: { afterId: number; limit: number },
): Promise<AccountDetail[]> {
  if (accountIds.length === 0) return [];
  const { accounts } = db.tables;
  return db
    .select(accountDetailColumns(db.tables))
    .from(accounts)
    .where(
      and(
        amongIds(db, accounts.id, accountIds),
        gt(accounts.id, page.afterId),
        or(eq(accounts.isDeleted, false), isNotNull(accounts.erasesAtMs)),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(page.limit);
}
