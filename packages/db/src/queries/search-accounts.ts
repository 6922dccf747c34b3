import { and, asc, desc, eq, gt, gte, isNotNull, lt, lte, not, or, type SQL } from 'drizzle-orm';
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

/** The parameters of a search for accounts. */
interface AccountSearch {
  /** Each must be part of the name, or be the id. Without words, every account matches. */
  readonly words?: readonly SearchedText[];
  /** Whether to search the closed accounts, which exist until they are erased. */
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
  search: AccountSearch,
  page: SearchPage,
  select: (where: SQL | undefined, limit: number) => Promise<Row[]>,
): Promise<Found<Row>> {
  const { id } = db.tables.accounts;
  const where = isSearched(db, scope, search);
  return searchInPortions(db, page, async (after, size, limit) => {
    if (!scope.all && scope.accountIds.length === 0) return { rows: [], lastKey: undefined };
    if (!scope.all) return { rows: await select(and(gt(id, after), where), limit), lastKey: undefined };
    const portion = await nextIds(db, { table: db.tables.accounts, after, size });
    if (portion === undefined) return { rows: [], lastKey: undefined };
    return { rows: await select(and(portion.where, where), limit), lastKey: portion.lastKey };
  });
}

function isSearched(
  db: Database,
  scope: MemberScope,
  { words = [], isClosed = false }: AccountSearch,
): SQL | undefined {
  const { id, isDeleted, erasesAtMs } = db.tables.accounts;
  return and(
    eq(isDeleted, isClosed),
    isClosed ? isNotNull(erasesAtMs) : undefined,
    inAccountScope(db, id, scope),
    matchAccounts(db, words),
  );
}

function matchAccounts(db: Database, words: readonly SearchedText[]): SQL | undefined {
  const { id, nameKey } = db.tables.accounts;
  return and(
    ...words.map((word) =>
      or(contains(nameKey, word.nameKey), word.id === undefined ? undefined : eq(id, word.id)),
    ),
  );
}

/** What accounts are sorted by. Each has an index. */
export interface AccountOrder {
  readonly by: 'id' | 'name';
  readonly isDescending: boolean;
}

/** The place of an account in an order: its id alone, or its name and then its id. */
export interface AccountPlace {
  readonly id: number;
  readonly nameKey: string;
}

/** Where a page of a sorted search begins, and its deadline. */
interface SortedPage {
  /** Undefined for the first page. */
  readonly after: AccountPlace | undefined;
  readonly limit: number;
  /** When it stops reading, by `searchDeadline`. */
  readonly deadlineMs: number;
}

/** The accounts in scope found by a search, in an order. */
export function sortAccounts(
  db: Database,
  scope: MemberScope,
  search: AccountSearch,
  order: AccountOrder,
  page: SortedPage,
): Promise<Found<AccountRow & AccountPlace, AccountPlace>> {
  const { id, name, nameKey, ownerId, createdAtMs } = db.tables.accounts;
  return findInOrder(db, scope, search, order, page, (where, limit) =>
    db
      .select({ id, name, nameKey, ownerId, createdAtMs })
      .from(db.tables.accounts)
      .where(where)
      .orderBy(...inOrder(db, order))
      .limit(limit),
  );
}

/** How many accounts behind a place a sorted search finds until the deadline, at most `MAX_COUNTED`. */
export async function countSortedAccounts(
  db: Database,
  scope: MemberScope,
  search: AccountSearch,
  order: AccountOrder,
  page: Omit<SortedPage, 'limit'>,
): Promise<number> {
  const { id } = db.tables.accounts;
  const counted = { ...page, limit: MAX_COUNTED };
  const { rows } = await findInOrder(db, scope, search, order, counted, (where, limit) =>
    db
      .select({ id })
      .from(db.tables.accounts)
      .where(where)
      .orderBy(...inOrder(db, order))
      .limit(limit),
  );
  return rows.length;
}

function inOrder({ tables: { accounts } }: Database, { by, isDescending }: AccountOrder): SQL[] {
  const columns = by === 'id' ? [accounts.id] : [accounts.nameKey, accounts.id];
  return columns.map((column) => (isDescending ? desc(column) : asc(column)));
}

async function findInOrder<Row>(
  db: Database,
  scope: MemberScope,
  search: AccountSearch,
  order: AccountOrder,
  { after, ...page }: SortedPage,
  select: (where: SQL | undefined, limit: number) => Promise<Row[]>,
): Promise<Found<Row, AccountPlace>> {
  const { id, nameKey } = db.tables.accounts;
  const isFound = isSearched(db, scope, search);
  const read = async (from: AccountPlace | undefined, size: number, limit: number) => {
    if (!scope.all && scope.accountIds.length === 0) return { rows: [], lastKey: undefined };
    const isNext = from && isBehind(db, order, from);
    const lastOf = () =>
      db
        .select({ id, nameKey })
        .from(db.tables.accounts)
        .where(isNext)
        .orderBy(...inOrder(db, order))
        .limit(1)
        .offset(size - 1);
    const [last] = scope.all ? await lastOf() : [];
    const rows = await select(and(isNext, last && isUpTo(db, order, last), isFound), limit);
    return { rows, lastKey: last };
  };
  const found = await searchInPortions<Row, AccountPlace | undefined>(db, { ...page, after }, read);
  return { rows: found.rows, goesOnAfter: found.goesOnAfter };
}

/** As a range of the name, so that an index has it. */
function isBehind(
  { tables: { accounts } }: Database,
  { by, isDescending }: AccountOrder,
  { id, nameKey }: AccountPlace,
): SQL | undefined {
  const [before, after] = isDescending ? [lte, lt] : [gte, gt];
  if (by === 'id') return after(accounts.id, id);
  return and(before(accounts.nameKey, nameKey), or(after(accounts.nameKey, nameKey), after(accounts.id, id)));
}

function isUpTo(
  { tables: { accounts } }: Database,
  { by, isDescending }: AccountOrder,
  { id, nameKey }: AccountPlace,
): SQL | undefined {
  const [before, after] = isDescending ? [gte, gt] : [lte, lt];
  if (by === 'id') return before(accounts.id, id);
  return and(
    before(accounts.nameKey, nameKey),
    or(after(accounts.nameKey, nameKey), before(accounts.id, id)),
  );
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
