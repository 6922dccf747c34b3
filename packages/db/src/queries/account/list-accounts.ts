import { and, asc, eq, gt, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { MemberScope } from '../membership/member-scope.js';
import { amongIds } from '../page/among-ids.js';
import { contains } from '../text/contains.js';
import { startsWith } from '../text/starts-with.js';

/** An account in a list. */
export interface AccountRow {
  id: number;
  name: string;
  ownerId: number;
  createdAtMs: number;
}

/** The accounts in scope by ascending id, without deleted ones; `afterId` pages on. */
export async function listAccounts(
  db: Database,
  scope: MemberScope,
  page: {
    afterId: number;
    limit: number;
    nameBegins?: string;
    nameContains?: string;
    /** The account's own columns, in addition to those a search matches. */
    orId?: number | undefined;
  },
): Promise<AccountRow[]> {
  if (!scope.all && scope.accountIds.length === 0) return [];
  const { accounts } = db.tables;
  const { id, name, nameKey, ownerId, createdAtMs } = accounts;
  return db
    .select({ id, name, ownerId, createdAtMs })
    .from(accounts)
    .where(
      and(
        gt(id, page.afterId),
        eq(accounts.isDeleted, false),
        scope.all ? undefined : amongIds(db, id, scope.accountIds),
        or(
          page.nameBegins ? startsWith(nameKey, page.nameBegins) : undefined,
          page.nameContains ? contains(nameKey, page.nameContains) : undefined,
          page.orId === undefined ? undefined : eq(id, page.orId),
        ),
      ),
    )
    .orderBy(asc(id))
    .limit(page.limit);
}
