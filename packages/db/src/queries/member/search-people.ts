import { setImmediate as endOfTurn } from 'node:timers/promises';
import { and, asc, eq, gt, lte, max } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type ListedMember, listedMemberColumns } from '../access/member-columns.js';
import type { MemberScope } from '../membership/member-scope.js';
import { matchPeople, type PeopleSearch } from './match-people.js';
import { memberInScope } from './member-in-scope.js';

/** The greatest number of statements that read all members. */
const SPANS = 50;
const SHORTEST_SPAN = 1_000;

type PeoplePage = PeopleSearch & { afterId: number; limit: number };

/** The members in scope found by a search, each once, by ascending id; `afterId` pages on. */
export async function searchPeople(
  db: Database,
  scope: MemberScope,
  page: PeoplePage,
): Promise<ListedMember[]> {
  return scope.all && db.dialect === 'libsql' ? searchEverybody(db, page) : readSpan(db, scope, page);
}

/**
 * No index helps with parts of an address, so a rare text means reading every member. It reads one span of ids
 * at a time, because the embedded database blocks while it reads.
 */
async function searchEverybody(db: Database, page: PeoplePage): Promise<ListedMember[]> {
  const { members } = db.tables;
  const [last] = await db.select({ id: max(members.id) }).from(members);
  const lastId = last?.id ?? 0;
  const span = Math.max(SHORTEST_SPAN, Math.ceil((lastId - page.afterId) / SPANS));
  const found: ListedMember[] = [];
  for (let afterId = page.afterId; afterId < lastId && found.length < page.limit; afterId += span) {
    const limit = page.limit - found.length;
    found.push(...(await readSpan(db, { all: true }, { ...page, afterId, limit }, afterId + span)));
    await endOfTurn();
  }
  return found;
}

async function readSpan(
  db: Database,
  scope: MemberScope,
  { afterId, limit, ...search }: PeoplePage,
  untilId?: number,
): Promise<ListedMember[]> {
  const { members } = db.tables;
  return db
    .select(listedMemberColumns(db.tables))
    .from(members)
    .where(
      and(
        gt(members.id, afterId),
        untilId === undefined ? undefined : lte(members.id, untilId),
        eq(members.isDeleted, false),
        memberInScope(db, scope),
        matchPeople(db, search),
      ),
    )
    .orderBy(asc(members.id))
    .limit(limit);
}
