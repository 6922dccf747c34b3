import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

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
    .where(
      and(
        eq(memberships.memberId, memberId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        eq(accounts.isDeleted, false),
      ),
    );
}
