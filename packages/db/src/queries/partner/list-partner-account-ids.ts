import { and, asc, eq, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { ARCHIVED } from '../archived.js';
import { isLiveMembership } from '../membership/is-live-membership.js';

/**
 * The accounts a partner's sign-on may reach, lowest first: the member's live memberships in accounts the
 * partner created, or in any account with `all`.
 */
export async function listPartnerAccountIds(
  db: Database,
  { memberId, partnerId, all, limit }: { memberId: number; partnerId: number; all: boolean; limit: number },
): Promise<number[]> {
  const { accounts, memberships } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        isLiveMembership(db.tables, memberId),
        ne(memberships.roleType, ARCHIVED),
        all ? undefined : eq(accounts.createdByPartnerId, partnerId),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
