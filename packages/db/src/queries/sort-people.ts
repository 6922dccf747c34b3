import { and, asc, desc, gt, gte, isNotNull, isNull, lt, lte, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import { type ListedMember, listedMemberColumns } from './member-columns.js';
import type { MemberScope } from './member-scope.js';
import { MAX_COUNTED } from './paging.js';
import { type Found, searchInPortions } from './search-in-portions.js';
import { matchPeople, type PeopleFilter, type PeopleSearch, peopleIn } from './search-people.js';

/** What members are sorted by. Each has an index. Members without a value come last in both directions, by id. */
export interface PeopleOrder {
  readonly by: 'id' | 'email' | 'lastLogin';
  readonly isDescending: boolean;
}

/** The place of a member in an order. The key is null for members without a value. */
export interface SortedPlace {
  readonly key: string | number | null;
  readonly id: number;
}

/** Where a page of a sorted search begins, and its deadline. */
interface SortedPage {
  /** Undefined for the first page. */
  readonly after: SortedPlace | undefined;
  readonly limit: number;
  /** When it stops reading, by `searchDeadline`. */
  readonly deadlineMs: number;
}

type Search = PeopleSearch & PeopleFilter;

/** The members in scope found by a search, each once, in an order. */
export async function sortPeople(
  db: Database,
  scope: MemberScope,
  search: Search,
  order: PeopleOrder,
  page: SortedPage,
): Promise<Found<ListedMember & { readonly place: SortedPlace }, SortedPlace>> {
  const key = keyOf(db, order);
  const columns = { ...listedMemberColumns(db.tables), key };
  const { members } = db.tables;
  const { rows, goesOnAfter } = await findInOrder(db, scope, search, order, page, (where, limit) =>
    db
      .select(columns)
      .from(members)
      .where(where)
      .orderBy(...inOrder(db, order))
      .limit(limit),
  );
  return {
    rows: rows.map(({ key: value, ...row }) => ({ place: { key: value, id: row.id }, ...row })),
    goesOnAfter,
  };
}

/** How many members behind a place a sorted search finds until the deadline, at most `MAX_COUNTED`. */
export async function countSortedPeople(
  db: Database,
  scope: MemberScope,
  search: Search,
  order: PeopleOrder,
  page: Omit<SortedPage, 'limit'>,
): Promise<number> {
  const { id } = db.tables.members;
  const counted = { ...page, limit: MAX_COUNTED };
  const { rows } = await findInOrder(db, scope, search, order, counted, (where, limit) =>
    db
      .select({ id, key: keyOf(db, order) })
      .from(db.tables.members)
      .where(where)
      .orderBy(...inOrder(db, order))
      .limit(limit),
  );
  return rows.length;
}

function keyOf({ tables: { members } }: Database, { by }: PeopleOrder) {
  return { id: members.id, email: members.emailKey, lastLogin: members.lastLoginAtMs }[by];
}

function inOrder(db: Database, order: PeopleOrder): SQL[] {
  const columns = order.by === 'id' ? [] : [keyOf(db, order)];
  return [...columns, db.tables.members.id].map((column) =>
    order.isDescending ? desc(column) : asc(column),
  );
}

/** The place after which members without a value follow. */
const VALUES_END: SortedPlace = { key: null, id: 0 };

/** Reads the members who have a value, as ranges of its index, and then the others. */
async function findInOrder<Row>(
  db: Database,
  scope: MemberScope,
  search: Search,
  order: PeopleOrder,
  { after, ...page }: SortedPage,
  select: (where: SQL | undefined, limit: number) => Promise<Row[]>,
): Promise<Found<Row, SortedPlace>> {
  const isFound = and(peopleIn(db, scope, search).where, matchPeople(db, search));
  const read = async (from: SortedPlace | undefined, size: number, limit: number) => {
    // A scope of some accounts has few members: one statement reads them.
    const last = scope.all ? await lastOf(db, order, from, size) : undefined;
    const rows = await select(
      and(isBehind(db, order, from), last && isUpTo(db, order, last), isFound),
      limit,
    );
    const hasOthers = order.by !== 'id' && from?.key !== null;
    return { rows, lastKey: last ?? (hasOthers ? VALUES_END : undefined) };
  };
  const { rows, goesOnAfter } = await searchInPortions<Row, SortedPlace | undefined>(
    db,
    { after, ...page },
    read,
  );
  return { rows, goesOnAfter };
}

/** The place of the row that is a given number of rows after another; undefined if there are fewer. */
async function lastOf(
  db: Database,
  order: PeopleOrder,
  from: SortedPlace | undefined,
  size: number,
): Promise<SortedPlace | undefined> {
  const { members } = db.tables;
  const [last] = await db
    .select({ key: keyOf(db, order), id: members.id })
    .from(members)
    .where(isBehind(db, order, from))
    .orderBy(...inOrder(db, order))
    .limit(1)
    .offset(size - 1);
  return last;
}

/** As a range of the value, so that an index has it. */
function isBehind(db: Database, order: PeopleOrder, from: SortedPlace | undefined): SQL | undefined {
  const key = keyOf(db, order);
  const { id } = db.tables.members;
  if (from === undefined) return isNotNull(key);
  const [before, after] = order.isDescending ? [lte, lt] : [gte, gt];
  if (from.key === null) return and(isNull(key), from.id === 0 ? undefined : after(id, from.id));
  if (order.by === 'id') return after(id, from.id);
  return and(before(key, from.key), or(after(key, from.key), after(id, from.id)));
}

function isUpTo(db: Database, order: PeopleOrder, { key: value, id: lastId }: SortedPlace): SQL | undefined {
  const key = keyOf(db, order);
  const { id } = db.tables.members;
  const [before, after] = order.isDescending ? [gte, gt] : [lte, lt];
  if (value === null || order.by === 'id') return before(id, lastId);
  return and(before(key, value), or(after(key, value), before(id, lastId)));
}
