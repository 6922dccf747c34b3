import { and, asc, eq, gt, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import { contains, startsWith } from './match-text.js';
import type { MemberScope } from './member-scope.js';
import { inAccountScope } from './member-scope.js';
import { countUpTo, pageBehind, pinnedTo } from './paging.js';

/** An account in a list. */
export interface AccountRow {
  id: number;
  name: string;
  ownerId: number;
  createdAtMs: number;
}

/** What accounts are searched by. Of the texts and the id, one match is enough. */
interface AccountSearch {
  afterId: number;
  nameBegins?: string;
  nameContains?: string;
  /** The account's own id, besides what a text matches. */
  orId?: number | undefined;
  /** Whether it is the closed ones that are wanted, until they are erased. */
  isClosed?: boolean;
}

/** The accounts in scope by ascending id, those that are open or those that are closed; `afterId` pages on. */
export async function listAccounts(
  db: Database,
  scope: MemberScope,
  { limit, ...search }: AccountSearch & { limit: number },
): Promise<AccountRow[]> {
  if (!scope.all && scope.accountIds.length === 0) return [];
  const { accounts } = db.tables;
  const { id, name, ownerId, createdAtMs } = accounts;
  return db
    .select({ id, name, ownerId, createdAtMs })
    .from(accounts)
    .where(isFound(db, scope, search))
    .orderBy(asc(id))
    .limit(limit);
}

/** How many accounts behind an id a search finds, at most `MAX_COUNTED`. */
export async function countAccounts(
  db: Database,
  scope: MemberScope,
  search: AccountSearch,
): Promise<number> {
  if (!scope.all && scope.accountIds.length === 0) return 0;
  return countUpTo(db, db.tables.accounts, isFound(db, scope, search));
}

function isFound(
  db: Database,
  scope: MemberScope,
  { afterId, nameBegins, nameContains, orId, isClosed = false }: AccountSearch,
): SQL | undefined {
  const { id, nameKey, isDeleted, erasesAtMs } = db.tables.accounts;
  return and(
    gt(id, afterId),
    eq(isDeleted, isClosed),
    isClosed ? isNotNull(erasesAtMs) : undefined,
    inAccountScope(db, id, scope),
    or(
      nameBegins ? startsWith(nameKey, nameBegins) : undefined,
      nameContains ? contains(nameKey, nameContains) : undefined,
      orId === undefined ? undefined : eq(id, orId),
    ),
  );
}

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
