import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lte,
  max,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
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
} from './member-columns.js';
import { deletedMemberInScope, type MemberScope, memberInScope, ownsAccount } from './member-scope.js';
import { MAX_COUNTED } from './paging.js';

/** Normalised texts to search members by. */
export interface PeopleSearch {
  /** Text anywhere in the username, the first or the last name. */
  nameKey?: string;
  /** Text anywhere in the e-mail address. With `nameKey`, one match is enough. */
  emailKey?: string;
  /** The member's id. With the others, one match is enough. */
  id?: number | undefined;
  /** Anywhere in the first or last name, or the id, regardless of the others. */
  realName?: { readonly key: string; readonly id?: number | undefined };
}

/**
 * True for members that a search matches. Empty or missing texts restrict nothing. A name that holds an `@` is never
 * matched: members choose their names, and whoever took an address for one is not its owner.
 */
export function matchPeople(
  db: Database,
  { nameKey, emailKey, id, realName }: PeopleSearch,
): SQL | undefined {
  const { members } = db.tables;
  return and(
    realName?.key ? or(hasRealName(db, realName.key), isMember(db, realName.id)) : undefined,
    or(
      nameKey ? containsName(members.usernameKey, nameKey) : undefined,
      nameKey ? hasRealName(db, nameKey) : undefined,
      emailKey ? contains(members.emailKey, emailKey) : undefined,
      isMember(db, id),
    ),
  );
}

function isMember({ tables: { members } }: Database, id: number | undefined): SQL | undefined {
  return id === undefined ? undefined : eq(members.id, id);
}

function containsName(name: SQLWrapper, key: string): SQL | undefined {
  return and(contains(name, key), not(contains(name, '@')));
}

/** A last name not indexed yet is compared by the database's own rules. */
function hasRealName({ tables: { members } }: Database, key: string): SQL | undefined {
  return or(
    containsName(members.firstNameKey, key),
    containsName(members.lastNameKey, key),
    and(isNull(members.lastNameKey), containsName(sql`lower(${members.lastName})`, key)),
  );
}

/** The greatest number of statements that read all members. */
const SPANS = 50;

const SHORTEST_SPAN = 1_000;

/** The scope of a search, besides its text. A missing part restricts nothing. */
interface PeopleFilter {
  /** Without one, everybody who is not deleted. */
  status?: { readonly is: MemberStatus; readonly atMs: number } | undefined;
  /** Only those this partner may sign on. */
  partnerId?: number | undefined;
  /** The base role, which a ban leaves as it is; 11 finds those who are banned at the moment. */
  roleType?: { readonly is: number; readonly atMs: number } | undefined;
}

type Search = PeopleSearch & PeopleFilter;

type PeoplePage = Search & { afterId: number; limit: number };

/** The members in scope found by a search, each once, by ascending id; `afterId` pages on. */
export async function searchPeople(
  db: Database,
  scope: MemberScope,
  page: PeoplePage,
): Promise<ListedMember[]> {
  const read: ReadSpan<ListedMember> = (span) =>
    db
      .select(listedMemberColumns(db.tables))
      .from(db.tables.members)
      .where(isFound(db, scope, page, span))
      .orderBy(asc(db.tables.members.id))
      .limit(span.limit);
  return readAll(db, scope, page, read);
}

/** How many members behind an id a search finds, at most `MAX_COUNTED`. */
export async function countPeople(
  db: Database,
  scope: MemberScope,
  search: Search & { afterId: number },
): Promise<number> {
  const { id } = db.tables.members;
  const read: ReadSpan<{ id: number }> = (span) =>
    db
      .select({ id })
      .from(db.tables.members)
      .where(isFound(db, scope, search, span))
      .orderBy(asc(id))
      .limit(span.limit);
  return (await readAll(db, scope, { ...search, limit: MAX_COUNTED }, read)).length;
}

interface Span {
  readonly afterId: number;
  readonly untilId?: number;
  readonly limit: number;
}

type ReadSpan<Row> = (span: Span) => Promise<Row[]>;

/**
 * No index helps with parts of an address, so a rare text means reading every member. The embedded database blocks
 * while it reads, so it reads one span of ids at a time.
 */
async function readAll<Row>(
  db: Database,
  scope: MemberScope,
  { afterId: firstId, limit }: { afterId: number; limit: number },
  read: ReadSpan<Row>,
): Promise<Row[]> {
  if (!scope.all || db.dialect !== 'libsql') return read({ afterId: firstId, limit });
  const { members } = db.tables;
  const [last] = await db.select({ id: max(members.id) }).from(members);
  const lastId = last?.id ?? 0;
  const span = Math.max(SHORTEST_SPAN, Math.ceil((lastId - firstId) / SPANS));
  const found: Row[] = [];
  for (let afterId = firstId; afterId < lastId && found.length < limit; afterId += span) {
    found.push(...(await read({ afterId, untilId: afterId + span, limit: limit - found.length })));
    await endOfTurn();
  }
  return found;
}

function isFound(
  db: Database,
  scope: MemberScope,
  { status, partnerId, roleType, ...search }: Search,
  { afterId, untilId }: Span,
): SQL | undefined {
  const { members, partnerMembers } = db.tables;
  const isGone = status?.is === 'deleting' || status?.is === 'deleted';
  const linked = db.select({ id: partnerMembers.memberId }).from(partnerMembers);
  return and(
    gt(members.id, afterId),
    untilId === undefined ? undefined : lte(members.id, untilId),
    status === undefined ? eq(members.isDeleted, false) : hasStatus(db.tables, status.is, status.atMs),
    isGone ? deletedMemberInScope(db, scope) : memberInScope(db, scope),
    partnerId === undefined
      ? undefined
      : inArray(members.id, linked.where(eq(partnerMembers.partnerId, partnerId))),
    roleType && hasRole(db.tables, roleType),
    matchPeople(db, search),
  );
}

function hasRole(tables: Tables, { is, atMs }: { is: number; atMs: number }): SQL {
  return is === ARCHIVED ? isBannedAt(tables, atMs) : eq(baseRole(tables), is);
}

const ACCOUNTS_PER_OWNER = 100;

/** An account owner, with the first hundred of their accounts in scope by id. */
export interface OwnerRow extends MemberRow {
  accounts: { id: number; name: string }[];
}

/** The owners of the accounts in scope, by ascending id; `afterId` pages on. */
export async function listOwners(
  db: Database,
  scope: MemberScope,
  { afterId, limit, ...search }: PeopleSearch & { afterId: number; limit: number },
): Promise<OwnerRow[]> {
  const { members, memberships, accounts } = db.tables;
  const owns = exists(
    db
      .select({ one: sql`1` })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(and(eq(memberships.memberId, members.id), ownsAccount(db, scope))),
  );
  const owners = await db
    .select(memberColumns(db.tables))
    .from(members)
    .where(and(gt(members.id, afterId), eq(members.isDeleted, false), owns, matchPeople(db, search)))
    .orderBy(asc(members.id))
    .limit(limit);
  const owned = await listOwned(
    db,
    scope,
    owners.map(({ id }) => id),
  );
  return owners.map((owner) => ({
    ...owner,
    accounts: owned.filter(({ ownerId }) => ownerId === owner.id).map(({ id, name }) => ({ id, name })),
  }));
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
