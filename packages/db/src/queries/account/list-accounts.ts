import { and, asc, eq, gt, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { inAccountScope } from '../membership/in-account-scope.js';
import type { MemberScope } from '../membership/member-scope.js';
import { countUpTo } from '../page/count-up-to.js';
import { contains } from '../text/contains.js';
import { startsWith } from '../text/starts-with.js';

/** An account in a list. */
export interface AccountRow {
  id: number;
  name: string;
  ownerId: number;
  createdAtMs: number;
}

/** What accounts are searched by. Of the texts and the id, one match is enough. */
export interface AccountSearch {
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

/** How many accounts behind an id a search finds, at most `MOST_COUNTED`. */
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
