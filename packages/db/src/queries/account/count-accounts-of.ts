import { and, count, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** How many open accounts somebody is the primary owner of. */
export async function countOwnedAccounts(db: Database, memberId: number): Promise<number> {
  const { accounts } = db.tables;
  const [row] = await db
    .select({ owned: count() })
    .from(accounts)
    .where(and(eq(accounts.ownerId, memberId), eq(accounts.isDeleted, false)));
  return row?.owned ?? 0;
}

/** Whether an account of somebody's has had a trial, closed ones included. */
export async function hasHadTrial(db: Database, memberId: number): Promise<boolean> {
  const { accounts, subscriptions } = db.tables;
  const [row] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(and(eq(accounts.ownerId, memberId), isNotNull(subscriptions.trialEndsAtMs)))
    .limit(1);
  return row !== undefined;
}
