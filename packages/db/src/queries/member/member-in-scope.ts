import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { MemberScope } from '../membership/member-scope.js';
import { amongIds } from '../page/among-ids.js';

/**
 * True for members with a live membership in an account in scope. Undefined, which restricts nothing, if the
 * scope is all.
 */
export function memberInScope(db: Database, scope: MemberScope): SQL | undefined {
  const { members } = db.tables;
  if (scope.all) return undefined;
  if (scope.accountIds.length === 0) return sql`1 = 0`;
  return inArray(members.id, membersInScope(db, scope.accountIds));
}

/** The ids of everybody with a live membership in one of the accounts. */
export function membersInScope(db: Database, accountIds: readonly number[]) {
  const { memberships } = db.tables;
  return db
    .select({ id: memberships.memberId })
    .from(memberships)
    .where(
      and(
        amongIds(db, memberships.accountId, accountIds),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    );
}

/** `memberInScope` for deleted members, by what they were in until then. */
export function deletedMemberInScope(db: Database, scope: MemberScope): SQL | undefined {
  const { members, memberships } = db.tables;
  if (scope.all) return undefined;
  if (scope.accountIds.length === 0) return sql`1 = 0`;
  return inArray(
    members.id,
    db
      .select({ id: memberships.memberId })
      .from(memberships)
      .where(
        and(amongIds(db, memberships.accountId, scope.accountIds), eq(memberships.endedWithMember, true)),
      ),
  );
}
