import { and, asc, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { listMembersOfAccounts, type MemberIdSource } from './list-members.js';
import { firstTextAfter } from './match-text.js';
import { type ListedMember, listedMemberColumns } from './member-columns.js';
import type { MemberScope } from './member-scope.js';
import { PART_LENGTH } from './name-search.js';
import { pageBehind, pinnedTo } from './paging.js';

/** The cursor: the rest of the name from the match on, and the member. */
export interface NameCursor {
  part: string;
  memberId: number;
}

/**
 * All members whose username contains the text, ordered by the rest of the name from there, then by id. Only the
 * first match in a name counts.
 */
async function listNamedMembers(
  db: Database,
  { nameKey, after, limit }: { nameKey: string; after?: NameCursor | undefined; limit: number },
): Promise<(ListedMember & { cursor: NameCursor })[]> {
  const { members, memberNameParts } = db.tables;
  const { part, memberId, position } = memberNameParts;
  const begin = [...nameKey].slice(0, PART_LENGTH).join('');
  const end = firstTextAfter(begin);

  const rows = (range: SQL | undefined, count: number) =>
    db
      .select({ ...listedMemberColumns(db.tables), cursor: { part, memberId } })
      .from(memberNameParts)
      .innerJoin(members, eq(members.id, memberId))
      .where(
        and(
          range,
          end === undefined ? undefined : lt(part, end),
          eq(members.isDeleted, false),
          sql`instr(${members.usernameKey}, ${nameKey}) = ${position} + 1`,
        ),
      )
      .orderBy(asc(part), asc(memberId))
      .limit(count);

  if (after === undefined || after.part < begin) return rows(gte(part, begin), limit);
  return pageBehind(limit, {
    tied: (count) => rows(and(pinnedTo(db, part, after.part), gt(memberId, after.memberId)), count),
    beyond: (count) => rows(gt(part, after.part), count),
  });
}

/** A member found by a search, with the cursor of the next page. */
export interface FoundMember extends ListedMember {
  cursor: NameCursor;
}

/**
 * The live members in scope whose username contains the text, each once. Within accounts they are ordered by
 * id, among all members by the rest of the name from the match on.
 * @param search `nameKey` is normalised text, not empty, without wildcards
 * @param listIds as in `listMembers`
 */
export async function searchMembers(
  db: Database,
  scope: MemberScope,
  search: { nameKey: string; after?: NameCursor | undefined; limit: number },
  listIds?: MemberIdSource,
): Promise<FoundMember[]> {
  if (scope.all) return listNamedMembers(db, search);
  const { nameKey, after, limit } = search;
  const page = { afterId: after?.memberId ?? 0, limit, nameKey };
  const found = await listMembersOfAccounts(db, scope.accountIds, page, listIds);
  return found.map((row) => ({ cursor: { part: '', memberId: row.id }, ...row }));
}
