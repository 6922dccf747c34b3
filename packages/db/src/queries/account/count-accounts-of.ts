import { and, count, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** How many open accounts a member is the primary owner of. */
export async function countOwnedAccounts(db: Database, memberId: number): Promise<number> {
  const { accounts } = db.tables;
  const [row] = await db
    .select({ owned: count() })
    .from(accounts)
    .where(and(eq(accounts.ownerId, memberId), eq(accounts.isDeleted, false)));
  return row?.owned ?? 0;
}

/** Whether an account this member opened has had a trial, whoever owns it now, open or closed. */
export async function hasHadTrial(db: Database, memberId: number): Promise<boolean> {
  const { accounts, subscriptions } = db.tables;
  const opened = or(
    eq(accounts.openedById, memberId),
    and(isNull(accounts.openedById), eq(accounts.ownerId, memberId)),
  );
  const [row] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(and(opened, isNotNull(subscriptions.trialEndsAtMs)))
    .limit(1);
  return row !== undefined;
}
