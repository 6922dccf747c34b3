import { and, asc, eq, gt, gte, isNotNull, lt, lte, not, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import { asksMore } from './account-policy.js';
import { contains } from './match-text.js';
import type { MemberScope } from './member-scope.js';
import { inAccountScope } from './member-scope.js';
import { inIds, MAX_COUNTED } from './paging.js';
import { type Found, nextIds, searchInPortions } from './search-in-portions.js';
import type { SearchedText, SearchPage, WithCursor } from './search-people.js';

/** An account in a list. */
export interface AccountRow {
  id: number;
  name: string;
  ownerId: number;
  createdAtMs: number;
}

/** What accounts are searched by. */
interface AccountSearch {
  /** Each must be part of the name, or be the id. Without words, every account matches. */
  readonly words?: readonly SearchedText[];
  /** Whether it is the closed ones that are wanted, until they are erased. */
  readonly isClosed?: boolean;
}

/** The accounts in scope by ascending id, those that are open or those that are closed. */
export function listAccounts(
  db: Database,
  scope: MemberScope,
  search: AccountSearch,
  page: SearchPage,
): Promise<Found<WithCursor<AccountRow>>> {
  const { id, name, ownerId, createdAtMs } = db.tables.accounts;
  return findById(db, scope, search, page, (where, limit) =>
    db
      .select({ cursor: id, id, name, ownerId, createdAtMs })
      .from(db.tables.accounts)
      .where(where)
      .orderBy(asc(id))
      .limit(limit),
  );
}

/** How many accounts behind a cursor a search finds until the deadline, at most `MAX_COUNTED`. */
export async function countAccounts(
  db: Database,
  scope: MemberScope,
  search: AccountSearch,
  page: Omit<SearchPage, 'limit'>,
): Promise<number> {
  const { id } = db.tables.accounts;
  const counted = { ...page, limit: MAX_COUNTED };
  const { rows } = await findById(db, scope, search, counted, (where, limit) =>
    db.select({ id }).from(db.tables.accounts).where(where).orderBy(asc(id)).limit(limit),
  );
  return rows.length;
}

function findById<Row>(
  db: Database,
  scope: MemberScope,
  { words = [], isClosed = false }: AccountSearch,
  page: SearchPage,
  select: (where: SQL | undefined, limit: number) => Promise<Row[]>,
): Promise<Found<Row>> {
  const { id, isDeleted, erasesAtMs } = db.tables.accounts;
  const where = and(
    eq(isDeleted, isClosed),
    isClosed ? isNotNull(erasesAtMs) : undefined,
    inAccountScope(db, id, scope),
    matchAccounts(db, words),
  );
  return searchInPortions(db, page, async (after, size, limit) => {
    if (!scope.all && scope.accountIds.length === 0) return { rows: [], lastKey: undefined };
    if (!scope.all) return { rows: await select(and(gt(id, after), where), limit), lastKey: undefined };
    const portion = await nextIds(db, { table: db.tables.accounts, after, size });
    if (portion === undefined) return { rows: [], lastKey: undefined };
    return { rows: await select(and(portion.where, where), limit), lastKey: portion.lastKey };
  });
}

function matchAccounts(db: Database, words: readonly SearchedText[]): SQL | undefined {
  const { id, nameKey } = db.tables.accounts;
  return and(
    ...words.map((word) =>
      or(contains(nameKey, word.nameKey), word.id === undefined ? undefined : eq(id, word.id)),
    ),
  );
}

/** An account found by a search. `nameKey` and `id` are the cursor of the next page. */
export interface FoundAccount extends NamePlace {
  name: string;
  createdAtMs: number;
}

/** The position of an account in the order of names. */
interface NamePlace {
  id: number;
  nameKey: string;
}

/** Before every account. */
const FIRST_PLACE: NamePlace = { id: 0, nameKey: '' };

/** The accounts in scope found by words, by name and id, without deleted ones. */
export function searchAccounts(
  db: Database,
  scope: MemberScope,
  { words, after = FIRST_PLACE }: { words: readonly SearchedText[]; after?: NamePlace | undefined },
  page: { limit: number; deadlineMs: number },
): Promise<Found<FoundAccount, NamePlace>> {
  const { id, name, nameKey, createdAtMs, isDeleted } = db.tables.accounts;
  const isFound = and(inAccountScope(db, id, scope), eq(isDeleted, false), matchAccounts(db, words));
  const inOrder = [asc(nameKey), asc(id)];

  return searchInPortions(db, { ...page, after }, async (from, size, limit) => {
    if (!scope.all && scope.accountIds.length === 0) return { rows: [], lastKey: undefined };
    const places = (range: SQL | undefined) =>
      db
        .select({ id, nameKey })
        .from(db.tables.accounts)
        .where(range)
        .orderBy(...inOrder)
        .limit(1)
        .offset(size - 1);
    const [last] = scope.all ? await places(isBehind(db, from)) : [];
    const rows = await db
      .select({ id, name, nameKey, createdAtMs })
      .from(db.tables.accounts)
      .where(and(isBehind(db, from), last && isUpTo(db, last), isFound))
      .orderBy(...inOrder)
      .limit(limit);
    return { rows, lastKey: last };
  });
}

/** As a range of the name, so that an index has it. */
function isBehind({ tables: { accounts } }: Database, { id, nameKey }: NamePlace): SQL | undefined {
  return and(gte(accounts.nameKey, nameKey), or(gt(accounts.nameKey, nameKey), gt(accounts.id, id)));
}

function isUpTo({ tables: { accounts } }: Database, { id, nameKey }: NamePlace): SQL | undefined {
  return and(lte(accounts.nameKey, nameKey), or(lt(accounts.nameKey, nameKey), lte(accounts.id, id)));
}

/** The names of accounts, closed and deleted ones included. */
export async function listAccountNames(
  db: Database,
  accountIds: readonly number[],
  session: { readonly level: number; readonly nowMs: number },
): Promise<{ id: number; name: string }[]> {
  if (accountIds.length === 0) return [];
  const { id, name } = db.tables.accounts;
  const isRefused = asksMore(db.tables, session);
  return db
    .select({ id, name })
    .from(db.tables.accounts)
    .where(and(inIds(db, id, accountIds), isRefused && not(isRefused)));
}
