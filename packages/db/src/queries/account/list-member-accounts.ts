import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isLiveMembership } from '../member/is-live-membership.js';

const MOST_ACCOUNTS = 1_000;

/** The accounts of one member, as member and by grant. */
export interface MemberAccounts {
  memberships: { accountId: number; accountName: string; roleType: number }[];
  grants: { accountId: number; accountName: string }[];
}

/** The live memberships and grants of a member in accounts that exist, at most a thousand of each, by account id. */
export async function listMemberAccounts(db: Database, memberId: number): Promise<MemberAccounts> {
  const { accounts, memberships, personnelGrants } = db.tables;
  const [own, granted] = await Promise.all([
    db
      .select({ accountId: accounts.id, accountName: accounts.name, roleType: memberships.roleType })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(isLiveMembership(db.tables, memberId))
      .orderBy(asc(accounts.id))
      .limit(MOST_ACCOUNTS),
    db
      .select({ accountId: accounts.id, accountName: accounts.name })
      .from(personnelGrants)
      .innerJoin(accounts, eq(accounts.id, personnelGrants.accountId))
      .where(
        and(
          eq(personnelGrants.personnelId, memberId),
          eq(personnelGrants.isDeleted, false),
          eq(personnelGrants.active, true),
          eq(accounts.isDeleted, false),
        ),
      )
      .orderBy(asc(accounts.id))
      .limit(MOST_ACCOUNTS),
  ]);
  return { memberships: own, grants: granted };
}
