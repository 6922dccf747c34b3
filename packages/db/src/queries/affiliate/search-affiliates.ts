import { and, asc, eq, gt, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { matchPeople, type PeopleSearch } from '../member/match-people.js';
import { memberInScope } from '../member/member-in-scope.js';
import type { MemberScope } from '../membership/member-scope.js';
import { startsWith } from '../text/starts-with.js';
import { type AffiliateRow, affiliateColumns } from './affiliate-columns.js';

/** The affiliates among the members in scope, found by name or by the beginning of their code. */
export async function searchAffiliates(
  db: Database,
  scope: MemberScope,
  search: PeopleSearch & { codeBegins?: string; afterId: number; limit: number },
): Promise<AffiliateRow[]> {
  const { affiliates, members } = db.tables;
  const { codeBegins, afterId, limit, ...texts } = search;
  return db
    .select(affiliateColumns(db.tables))
    .from(affiliates)
    .innerJoin(members, eq(members.id, affiliates.memberId))
    .where(
      and(
        gt(affiliates.memberId, afterId),
        eq(members.isDeleted, false),
        memberInScope(db, scope),
        codeBegins
          ? or(startsWith(affiliates.codeKey, codeBegins), matchPeople(db, texts))
          : matchPeople(db, texts),
      ),
    )
    .orderBy(asc(affiliates.memberId))
    .limit(limit);
}
