import { and, asc, eq, gt, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { inAccountScope } from '../membership/in-account-scope.js';
import type { MemberScope } from '../membership/member-scope.js';
import { pageBehind } from '../page/page-behind.js';
import { pinnedTo } from '../page/pinned-to.js';
import { startsWith } from '../text/starts-with.js';

/** An account found by a search. `nameKey` and `id` are the cursor of the next page. */
export interface FoundAccount {
  id: number;
  name: string;
  nameKey: string;
  createdAtMs: number;
}

/**
 * The accounts in scope whose name begins with a text, by name and id, without deleted ones.
 *
 * @param search `nameBegins` is normalised text without wildcards; an empty one finds every account
 */
export async function searchAccounts(
  db: Database,
  scope: MemberScope,
  search: { nameBegins: string; after?: { nameKey: string; id: number } | undefined; limit: number },
): Promise<FoundAccount[]> {
  if (!scope.all && scope.accountIds.length === 0) return [];
  const { id, name, nameKey, createdAtMs, isDeleted } = db.tables.accounts;
  const { after } = search;

  const rows = (range: SQL | undefined, limit: number) =>
    db
      .select({ id, name, nameKey, createdAtMs })
      .from(db.tables.accounts)
      .where(
        and(
          range,
          search.nameBegins === '' ? undefined : startsWith(nameKey, search.nameBegins),
          inAccountScope(db, id, scope),
          eq(isDeleted, false),
        ),
      )
      .orderBy(asc(nameKey), asc(id))
      .limit(limit);

  if (after === undefined) return rows(undefined, search.limit);
  return pageBehind(search.limit, {
    tied: (limit) => rows(and(pinnedTo(db, nameKey, after.nameKey), gt(id, after.id)), limit),
    beyond: (limit) => rows(gt(nameKey, after.nameKey), limit),
  });
}
