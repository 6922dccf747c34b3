import { setImmediate as endOfTurn } from 'node:timers/promises';
import { and, asc, eq, gt, inArray, lte, max, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Tables } from '../../tables/define-tables.js';
import { baseRole, isBannedAt } from '../access/ban-columns.js';
import { type ListedMember, listedMemberColumns } from '../access/member-columns.js';
import { ARCHIVED } from '../archived.js';
import type { MemberScope } from '../membership/member-scope.js';
import { MOST_COUNTED } from '../page/count-up-to.js';
import { matchPeople, type PeopleSearch } from './match-people.js';
import { deletedMemberInScope, memberInScope } from './member-in-scope.js';
import { hasStatus, type MemberStatus } from './member-status.js';

/** The greatest number of statements that read all members. */
const SPANS = 50;
const SHORTEST_SPAN = 1_000;

/** Whom a search finds, besides what it looks for. A missing part restricts nothing. */
export interface PeopleFilter {
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

/** How many members behind an id a search finds, at most `MOST_COUNTED`. */
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
  return (await readAll(db, scope, { ...search, limit: MOST_COUNTED }, read)).length;
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
