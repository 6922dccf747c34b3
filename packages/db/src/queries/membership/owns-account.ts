import { and, eq, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import type { MemberScope } from './member-scope.js';

const OWNER = 1;

/** True for live memberships as owner, in an account in scope that is not deleted. */
export function ownsAccount(db: Database, scope: MemberScope): SQL | undefined {
  const { memberships, accounts } = db.tables;
  return and(
    eq(memberships.roleType, OWNER),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    eq(accounts.isDeleted, false),
    scope.all ? undefined : amongIds(db, memberships.accountId, scope.accountIds),
  );
}
