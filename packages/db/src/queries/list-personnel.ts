import { and, asc, eq, gt, inArray, isNotNull, or } from 'drizzle-orm';
import { union } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import { ARCHIVED, baseRole, type MemberRow, memberColumns } from './member-columns.js';
import { inAccountScope, type MemberScope, memberInScope } from './member-scope.js';
import { inIds } from './paging.js';
import { type MemberDetail, memberDetailColumns } from './read-members.js';
import type { Found } from './search-in-portions.js';
import { find, matchPeople, type PeopleSearch, type SearchPage, type WithCursor } from './search-people.js';

/** A member of staff, or one who was switched off. */
interface ListedPersonnel extends MemberDetail {
  lastLoginAtMs: number | null;
}

/** An account granted to one of several members of staff. */
interface GrantOfStaff {
  personnelId: number;
  accountId: number;
  accountName: string;
  active: boolean;
}

/**
 * Staff, and those who were, by ascending id; `afterId` pages on. Staff who do not reach every account see those with a grant
 * in the accounts in scope, and themselves.
 */
export async function listPersonnel(
  db: Database,
  scope: MemberScope,
  { askerId, afterId, limit, ...search }: PeopleSearch & { askerId: number; afterId: number; limit: number },
): Promise<ListedPersonnel[]> {
  const { members } = db.tables;
  return db
    .select({ ...memberDetailColumns(db.tables), lastLoginAtMs: members.lastLoginAtMs })
    .from(members)
    .where(
      and(
        gt(members.id, afterId),
        eq(members.isDeleted, false),
        inArray(members.id, staffIds(db)),
        scope.all
          ? undefined
          : or(inArray(members.id, grantedIn(db, scope.accountIds)), eq(members.id, askerId)),
        matchPeople(db, search),
      ),
    )
    .orderBy(asc(members.id))
    .limit(limit);
}

/** The grants in accounts in scope of several members of staff, in accounts that are not deleted. */
export async function listGrantsOfStaff(
  db: Database,
  scope: MemberScope,
  personnelIds: readonly number[],
): Promise<GrantOfStaff[]> {
  if (personnelIds.length === 0 || (!scope.all && scope.accountIds.length === 0)) return [];
  const { accounts, personnelGrants } = db.tables;
  const { personnelId, accountId, active } = personnelGrants;
  return db
    .select({ personnelId, accountId, accountName: accounts.name, active })
    .from(personnelGrants)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(
      and(
        inIds(db, personnelId, personnelIds),
        inAccountScope(db, accountId, scope),
        eq(personnelGrants.isDeleted, false),
        eq(accounts.isDeleted, false),
      ),
    )
    .orderBy(asc(personnelId), asc(accountId));
}

/** Two reads of an index: no index tells both kinds apart from a million others. */
function staffIds(db: Database) {
  const { id, isPersonnel, personnelEndedAtMs } = db.tables.members;
  const ids = () => db.select({ id }).from(db.tables.members);
  return union(ids().where(eq(isPersonnel, true)), ids().where(isNotNull(personnelEndedAtMs)));
}

function grantedIn(db: Database, accountIds: readonly number[]) {
  const { personnelGrants } = db.tables;
  return db
    .select({ id: personnelGrants.personnelId })
    .from(personnelGrants)
    .where(and(inIds(db, personnelGrants.accountId, accountIds), eq(personnelGrants.isDeleted, false)));
}

/**
 * The caller, and the members of the given base roles with a membership or a grant in the accounts in scope; as
 * `searchPeople` finds them.
 */
export function searchManagers(
  db: Database,
  scope: MemberScope,
  { askerId, roleTypes, ...search }: PeopleSearch & { askerId: number; roleTypes: readonly number[] },
  page: SearchPage,
): Promise<Found<WithCursor<MemberRow>>> {
  const { members, personnelGrants } = db.tables;
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
                inIds(db, personnelGrants.accountId, scope.accountIds),
                eq(personnelGrants.isDeleted, false),
                eq(personnelGrants.active, true),
              ),
            ),
        );
  const isTheirs = scope.all ? undefined : or(memberInScope(db, scope), byGrant, eq(members.id, askerId));
  const where = and(
    inArray(members.roleType, [...roleTypes, ARCHIVED]),
    inArray(baseRole(db.tables), [...roleTypes]),
    eq(members.isDeleted, false),
    isTheirs,
  );
  return find(db, { where, areFew: !scope.all }, search, page, (isFound, limit) =>
    db.select(memberColumns(db.tables)).from(members).where(isFound).orderBy(asc(members.id)).limit(limit),
  );
}
