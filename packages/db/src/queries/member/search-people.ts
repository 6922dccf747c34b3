import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { MemberScope } from './list-members.js';
import { matchPeople, type PeopleSearch } from './match-people.js';
import { type MemberRow, memberColumns } from './member-columns.js';
import { memberInScope } from './member-in-scope.js';

/** The members of the accounts in scope whom a search finds, each once, by ascending id; `afterId` pages on. */
export async function searchPeople(
  db: Database,
  scope: MemberScope,
  { afterId, limit, ...search }: PeopleSearch & { afterId: number; limit: number },
): Promise<MemberRow[]> {
  const { members } = db.tables;
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(
      and(
        gt(members.id, afterId),
        eq(members.isDeleted, false),
        memberInScope(db, scope),
        matchPeople(db, search),
      ),
    )
    .orderBy(asc(members.id))
    .limit(limit);
}
