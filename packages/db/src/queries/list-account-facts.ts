import { and, eq } from 'drizzle-orm';
import type { Database } from '../database.js';
import { type AccountState, subscriptionColumns, toKnownSubscription } from './find-account-state.js';
import { countEachUpTo, inIds } from './paging.js';

/** What staff see of each account in a list, besides its name. */
export interface AccountFacts extends Pick<AccountState, 'subscription'> {
  /** The primary owner; null if there is none any more. */
  readonly owner: {
    readonly username: string;
    readonly firstName: string;
    readonly lastName: string;
  } | null;
  /** How many members have access, at most `MAX_COUNTED`. */
  readonly members: number;
  /** The provider's id of the price; null if it pays no provider. */
  readonly plan: string | null;
}

/** These facts of some accounts, by their ids. */
export async function listAccountFacts(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AccountFacts>> {
  if (ids.length === 0) return new Map();
  const { accounts, members, subscriptions } = db.tables;
  const { username, firstName, lastName } = members;
  const [rows, counts] = await Promise.all([
    db
      .select({
        id: accounts.id,
        owner: { username, firstName, lastName },
        plan: subscriptions.plan,
        ...subscriptionColumns(db),
      })
      .from(accounts)
      .leftJoin(members, eq(members.id, accounts.ownerId))
      .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
      .where(inIds(db, accounts.id, ids)),
    countMembers(db, ids),
  ]);
  return new Map(
    rows.map(({ id, owner, plan, ...subscription }) => [
      id,
      { owner, plan, members: counts.get(id) ?? 0, subscription: toKnownSubscription(subscription) },
    ]),
  );
}

function countMembers(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { accountId, isDeleted, active } = db.tables.memberships;
  const isLive = (id: number) => and(eq(accountId, id), eq(isDeleted, false), eq(active, true));
  return countEachUpTo(db, db.tables.memberships, new Map(ids.map((id) => [id, isLive(id)])));
}
