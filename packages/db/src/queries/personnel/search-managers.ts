import { and, asc, eq, gt, inArray, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { baseRole } from '../access/ban-columns.js';
import { type MemberRow, memberColumns } from '../access/member-columns.js';
import { ARCHIVED } from '../archived.js';
import { matchPeople, type PeopleSearch } from '../member/match-people.js';
import { memberInScope } from '../member/member-in-scope.js';
import type { MemberScope } from '../membership/member-scope.js';
import { amongIds } from '../page/among-ids.js';

/**
 * The caller, and the members of the given base roles with a membership or a grant in the accounts in scope;
 * by ascending id, `afterId` pages on.
 */
export async function searchManagers(
  db: Database,
  scope: MemberScope,
  search: PeopleSearch & { askerId: number; roleTypes: readonly number[]; afterId: number; limit: number },
): Promise<MemberRow[]> {
  const { members, personnelGrants } = db.tables;
  const { askerId, roleTypes, afterId, limit, ...texts } = search;
  const byGrant =
    scope.all || scope.accountIds.length === 0
      ? undefined
      : inArray(
          members.id,
          db
            .select({ id: personnelGrants.personnelId })
            .from(personnelGrants)
            .where(
              and(
                amongIds(db, personnelGrants.accountId, scope.accountIds),
                eq(personnelGrants.isDeleted, false),
                eq(personnelGrants.active, true),
              ),
            ),
        );
  const isTheirs = scope.all ? undefined : or(memberInScope(db, scope), byGrant, eq(members.id, askerId));
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(
      and(
        gt(members.id, afterId),
        inArray(members.roleType, [...roleTypes, ARCHIVED]),
        inArray(baseRole(db.tables), [...roleTypes]),
        eq(members.isDeleted, false),
        isTheirs,
        matchPeople(db, texts),
      ),
    )
    .orderBy(asc(members.id))
    .limit(limit);
}
