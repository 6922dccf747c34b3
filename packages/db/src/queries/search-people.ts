import { and, asc, eq, exists, gt, inArray, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import { contains } from './match-text.js';
import {
  ARCHIVED,
  baseRole,
  hasStatus,
  isBannedAt,
  type ListedMember,
  listedMemberColumns,
  type MemberRow,
  type MemberStatus,
  memberColumns,
  placeColumns,
} from './member-columns.js';
import { listMemberIds } from './member-lists.js';
import {
  deletedMemberInScope,
  type MemberScope,
  memberInScope,
  ownsAccount,
  type PlaceRoles,
} from './member-scope.js';
import { inIds, MAX_COUNTED } from './paging.js';
import { type Found, nextIds, searchInPortions } from './search-in-portions.js';

/** A searched text, normalised for each field. */
export interface SearchedText {
  /** For names. Not empty. */
  readonly nameKey: string;
  readonly emailKey: string;
  readonly id: number | undefined;
  /** The unchanged text, if it may be an id of another system. */
  readonly foreignId?: string | undefined;
}

/** The parameters of a search for members. */
export interface PeopleSearch {
  /**
   * Each must be part of a username, a first or last name or an address, or be the id. Without words, every member
   * matches.
   */
  readonly words: readonly SearchedText[];
  /** The whole text. The members whose id, address or username it is come first. */
  readonly exact?: SearchedText | undefined;
  /** Whether first name, last name and id are all that is compared. */
  readonly inRealNames?: boolean;
}

/**
 * True for members that a search matches. A name that holds an `@` is never matched: members choose their names, and
 * could choose the address of somebody else.
 */
export function matchPeople(db: Database, { words, inRealNames = false }: PeopleSearch): SQL | undefined {
  const { id, usernameKey, firstNameKey, lastNameKey, emailKey } = db.tables.members;
  return and(
    ...words.map((word) =>
      or(
        containsName(lastNameKey, word.nameKey),
        containsName(firstNameKey, word.nameKey),
        inRealNames ? undefined : containsName(usernameKey, word.nameKey),
        inRealNames || word.emailKey === '' ? undefined : contains(emailKey, word.emailKey),
        word.id === undefined ? undefined : eq(id, word.id),
      ),
    ),
  );
}

function containsName(name: SQLWrapper, key: string): SQL | undefined {
  return and(contains(name, key), not(contains(name, '@')));
}

/** The scope of a search, besides its text. A missing part restricts nothing. */
export interface PeopleFilter {
  /** Without one, everybody who is not deleted. */
  status?: { readonly is: MemberStatus; readonly atMs: number } | undefined;
  /** Only those this partner may sign on. */
  partnerId?: number | undefined;
  /** The base role, which a ban does not change; 11 finds those who are currently banned. */
  roleType?: { readonly is: number; readonly atMs: number } | undefined;
  /** Their role in an account in scope, which must name its accounts. */
  roles?: PlaceRoles | undefined;
}

type Search = PeopleSearch & PeopleFilter;

/** Where a page of a search begins, and its deadline. */
export interface SearchPage {
  /** The cursor of the row before; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
  /** When it stops reading, by `searchDeadline`. */
  readonly deadlineMs: number;
}

/** A row with the cursor of the page behind it. */
export type WithCursor<Row> = Row & { readonly cursor: number };

/**
 * The members in scope found by a search, each once, by ascending id; those of one account with their place in it. In a
 * search of all members, those whose id, address or username is the whole text come first.
 */
export function searchPeople(
  db: Database,
  scope: MemberScope,
  search: Search,
  page: SearchPage,
): Promise<Found<WithCursor<ListedMember>>> {
  const { members, memberships } = db.tables;
  const columns = listedMemberColumns(db.tables);
  const [accountId, ...others] = scope.all ? [] : scope.accountIds;
  return find<ListedMember>(db, peopleIn(db, scope, search), search, page, (where, limit) => {
    if (accountId === undefined || others.length > 0)
      return db.select(columns).from(members).where(where).orderBy(asc(members.id)).limit(limit);
    const isPlace = and(eq(memberships.memberId, members.id), eq(memberships.accountId, accountId));
    return db
      .select({ ...columns, ...placeColumns(db.tables) })
      .from(members)
      .innerJoin(memberships, isPlace)
      .where(where)
      .orderBy(asc(members.id))
      .limit(limit);
  });
}

/** How many members behind a cursor a search finds until the deadline, at most `MAX_COUNTED`. */
export async function countPeople(
  db: Database,
  scope: MemberScope,
  search: Search,
  page: Omit<SearchPage, 'limit'>,
): Promise<number> {
  const { id } = db.tables.members;
  const counted = { ...page, limit: MAX_COUNTED };
  const { rows } = await find(db, peopleIn(db, scope, search), search, counted, (where, limit) =>
    db.select({ id }).from(db.tables.members).where(where).orderBy(asc(id)).limit(limit),
  );
  return rows.length;
}

/** Who may be found, apart from the words. */
export interface Candidates {
  readonly where: SQL | undefined;
  /** All of them have live memberships in these accounts. Undefined if they may be anybody. */
  readonly accountIds?: readonly number[] | undefined;
  /** Whether there are few enough for one statement. */
  readonly areFew?: boolean;
}

/** Who may be found by a search in a scope, apart from the words. */
export function peopleIn(
  db: Database,
  scope: MemberScope,
  { status, partnerId, roleType, roles }: PeopleFilter,
): Candidates {
  const { members, partnerMembers } = db.tables;
  const isGone = status?.is === 'deleting' || status?.is === 'deleted';
  const linked = db.select({ id: partnerMembers.memberId }).from(partnerMembers);
  const where = and(
    status === undefined ? eq(members.isDeleted, false) : hasStatus(db.tables, status.is, status.atMs),
    isGone ? deletedMemberInScope(db, scope) : memberInScope(db, scope, roles),
    partnerId === undefined
      ? undefined
      : inArray(members.id, linked.where(eq(partnerMembers.partnerId, partnerId))),
    roleType && hasRole(db.tables, roleType),
  );
  if (scope.all) return { where };
  return { where, accountIds: isGone ? undefined : scope.accountIds, areFew: isGone };
}

function hasRole(tables: Tables, { is, atMs }: { is: number; atMs: number }): SQL {
  return is === ARCHIVED ? isBannedAt(tables, atMs) : eq(baseRole(tables), is);
}

type Select<Row> = (where: SQL | undefined, limit: number) => Promise<Row[]>;

/** How long a page that shows a person found by an index may search for others. */
const BESIDE_EXACT_MS = 50;

/**
 * The candidates that a search finds. The cursor of one who came first, found by an index, is the negative count of those
 * that were shown; the others have their id.
 * @param select reads members by ascending id
 */
export async function find<Row extends { id: number }>(
  db: Database,
  candidates: Candidates,
  search: PeopleSearch,
  page: SearchPage,
  select: Select<Row>,
): Promise<Found<WithCursor<Row>>> {
  const { id } = db.tables.members;
  const { exact } = search;
  const first =
    exact && !candidates.areFew ? await select(and(isExactly(db, exact), candidates.where), MAX_EXACT) : [];
  const shown = first
    .map((row, at): WithCursor<Row> => ({ cursor: -1 - at, ...row }))
    .slice(page.after > 0 ? first.length : -page.after)
    .slice(0, page.limit);
  if (shown.length === page.limit) return { rows: shown, goesOnAfter: undefined };
  const isOther =
    first.length === 0
      ? undefined
      : not(
          inIds(
            db,
            id,
            first.map((row) => row.id),
          ),
        );
  const soonMs = shown.length === 0 ? page.deadlineMs : performance.now() + BESIDE_EXACT_MS;
  const rest = await findInPortions(
    db,
    candidates,
    {
      after: Math.max(0, page.after),
      limit: page.limit - shown.length,
      deadlineMs: Math.min(page.deadlineMs, soonMs),
    },
    (range, limit) => select(and(range, isOther, candidates.where, matchPeople(db, search)), limit),
  );
  const others = rest.rows.map((row): WithCursor<Row> => ({ cursor: row.id, ...row }));
  return { rows: [...shown, ...others], goesOnAfter: rest.goesOnAfter };
}

/** An id, an address, a username, and ids of other systems. */
const MAX_EXACT = 8;

/** Members whose id, address, username or id in another system is the text, each by its index. */
function isExactly(db: Database, { nameKey, emailKey: address, id: memberId, foreignId }: SearchedText): SQL {
  const { id, usernameKey, emailKey } = db.tables.members;
  const ids = () => db.select({ id }).from(db.tables.members);
  const isName = and(eq(usernameKey, nameKey), not(contains(usernameKey, '@')));
  const isNumber = ids().where(eq(id, memberId ?? 0));
  const [hasAddress, hasName] = [ids().where(eq(emailKey, address)), ids().where(isName)];
  if (foreignId === undefined) return inArray(id, union(isNumber, hasAddress, hasName));
  const { foreignIds } = db.tables;
  const isForeign = and(eq(foreignIds.foreignId, foreignId), eq(foreignIds.kind, 'member'));
  const foreign = db
    .select({ id: sql<number>`${foreignIds.memberId}`.as('id') })
    .from(foreignIds)
    .where(isForeign);
  return inArray(id, union(isNumber, hasAddress, hasName, foreign));
}

function findInPortions<Row extends { id: number }>(
  db: Database,
  { accountIds, areFew = false }: Candidates,
  page: SearchPage,
  select: Select<Row>,
): Promise<Found<Row>> {
  const { id } = db.tables.members;
  return searchInPortions(db, page, async (after, size, limit) => {
    if (areFew) return { rows: await select(gt(id, after), limit), lastKey: undefined };
    if (accountIds) {
      const ids = await listMemberIds(db, accountIds, { afterId: after, limit: size });
      const rows = ids.length === 0 ? [] : await select(inIds(db, id, ids), limit);
      return { rows, lastKey: ids.length < size ? undefined : ids.at(-1) };
    }
    const portion = await nextIds(db, { table: db.tables.members, after, size });
    if (portion === undefined) return { rows: [], lastKey: undefined };
    return { rows: await select(portion.where, limit), lastKey: portion.lastKey };
  });
}

const ACCOUNTS_PER_OWNER = 100;

/** An account owner, with the first hundred of their accounts in scope by id. */
export interface OwnerRow extends MemberRow {
  accounts: { id: number; name: string }[];
}

/** The owners of the accounts in scope, as `searchPeople` finds them. */
export async function listOwners(
  db: Database,
  scope: MemberScope,
  search: PeopleSearch,
  page: SearchPage,
): Promise<Found<WithCursor<OwnerRow>>> {
  const { members, memberships, accounts } = db.tables;
  const owns = exists(
    db
      .select({ one: sql`1` })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(and(eq(memberships.memberId, members.id), ownsAccount(db, scope))),
  );
  const owners: Candidates = {
    where: and(eq(members.isDeleted, false), owns),
    accountIds: scope.all ? undefined : scope.accountIds,
  };
  const columns = memberColumns(db.tables);
  const found = await find(db, owners, search, page, (where, limit) =>
    db.select(columns).from(members).where(where).orderBy(asc(members.id)).limit(limit),
  );
  const owned = await listOwned(
    db,
    scope,
    found.rows.map(({ id }) => id),
  );
  const rows = found.rows.map((owner) => ({
    accounts: owned.filter(({ ownerId }) => ownerId === owner.id).map(({ id, name }) => ({ id, name })),
    ...owner,
  }));
  return { rows, goesOnAfter: found.goesOnAfter };
}

async function listOwned(db: Database, scope: MemberScope, ownerIds: readonly number[]) {
  if (ownerIds.length === 0) return [];
  const { memberships, accounts } = db.tables;
  const ranked = db
    .select({
      ownerId: memberships.memberId,
      id: accounts.id,
      name: accounts.name,
      place: sql<number>`row_number() over (partition by ${memberships.memberId} order by ${accounts.id})`.as(
        'place',
      ),
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(inArray(memberships.memberId, [...ownerIds]), ownsAccount(db, scope)))
    .as('ranked');
  return db
    .select({ ownerId: ranked.ownerId, id: ranked.id, name: ranked.name })
    .from(ranked)
    .where(sql`${ranked.place} <= ${ACCOUNTS_PER_OWNER}`)
    .orderBy(asc(ranked.ownerId), asc(ranked.id));
}
