import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { MemberScope } from './member-scope.js';
import { ownsAccount } from './owns-account.js';

const MOST_ACCOUNTS = 1_000;

/** The ids of the accounts in scope that one member owns, at most a thousand. */
export async function listOwnedAccountIds(
  db: Database,
  scope: MemberScope,
  ownerId: number,
): Promise<number[]> {
  const { memberships, accounts } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.memberId, ownerId), ownsAccount(db, scope)))
    .orderBy(asc(accounts.id))
    .limit(MOST_ACCOUNTS);
  return rows.map(({ id }) => id);
}
