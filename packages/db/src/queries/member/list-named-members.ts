import { and, asc, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type ListedMember, listedMemberColumns } from '../access/member-columns.js';
import { pageBehind } from '../page/page-behind.js';
import { pinnedTo } from '../page/pinned-to.js';
import { firstTextAfter } from '../text/first-text-after.js';
import { PART_LENGTH } from './name-search/name-parts.js';

/** The cursor: the rest of the name from the match on, and the member. */
export interface NameCursor {
  part: string;
  memberId: number;
}

/**
 * All members whose username contains the text, ordered by the rest of the name from there, then by id. Only the
 * first match in a name counts.
 */
export async function listNamedMembers(
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
