import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { MemberScope } from './list-members.js';

const OWNER = 1;

/** True of live memberships as owner, in an account in scope that is not deleted. */
export function ownsAccount(
  { tables: { memberships, accounts } }: Database,
  scope: MemberScope,
): SQL | undefined {
  return and(
    eq(memberships.roleType, OWNER),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    eq(accounts.isDeleted, false),
    scope.all ? undefined : inScope(memberships.accountId, scope.accountIds),
  );
}

function inScope(column: Parameters<typeof inArray>[0], accountIds: readonly number[]): SQL {
  return accountIds.length === 0 ? sql`1 = 0` : inArray(column, [...accountIds]);
}
