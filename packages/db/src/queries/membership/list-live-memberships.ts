import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isLiveMembership } from './is-live-membership.js';

/** Every live membership of one member in an account that is not deleted. */
export async function listLiveMemberships(
  db: Database,
  memberId: number,
): Promise<{ accountId: number; roleType: number }[]> {
  const { accounts, memberships } = db.tables;
  return db
    .select({ accountId: memberships.accountId, roleType: memberships.roleType })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(isLiveMembership(db.tables, memberId));
}
