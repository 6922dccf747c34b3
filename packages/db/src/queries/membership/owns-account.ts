import { and, eq, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { inAccountScope } from './in-account-scope.js';
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
    inAccountScope(db, memberships.accountId, scope),
  );
}
