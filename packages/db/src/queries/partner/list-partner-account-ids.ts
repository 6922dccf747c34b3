import { and, asc, eq, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';

const ARCHIVED = 11;

/**
 * The accounts a partner's sign-on may lead a member to, lowest first: those of the member's live memberships, and of
 * them only the ones that partner created unless `all` is asked for.
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
        eq(memberships.memberId, memberId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        ne(memberships.roleType, ARCHIVED),
        eq(accounts.isDeleted, false),
        all ? undefined : eq(accounts.createdByPartnerId, partnerId),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
