import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The stored state of a provider's subscription. `facts` is JSON of the caller. */
export interface BillingSubscriptionRow {
  id: number;
  provider: string;
  subscriptionId: string;
  customerId: string;
  accountId: number | null;
  facts: unknown;
}

const NO_FACTS = {};

/** Locks a provider's subscription until the transaction ends, and creates the row if missing. */
export async function openBillingSubscription(
  tx: Database,
  subscription: { provider: string; subscriptionId: string; customerId: string; nowMs: number },
): Promise<BillingSubscriptionRow> {
  const { billingSubscriptions } = tx.tables;
  const { provider, subscriptionId, customerId, nowMs } = subscription;
  const isThis = and(
    eq(billingSubscriptions.provider, provider),
    eq(billingSubscriptions.subscriptionId, subscriptionId),
  );
  const hold = () => tx.write(tx.update(billingSubscriptions).set({ updatedAtMs: nowMs }).where(isThis));
  if ((await hold()) === 0) {
    const row = {
      provider,
      subscriptionId,
      customerId,
      facts: NO_FACTS,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    if (!(await tx.insertOnce(billingSubscriptions, row))) await hold();
  }
  const [row] = await tx.select(subscriptionColumns(tx)).from(billingSubscriptions).where(isThis);
  if (row === undefined) throw new Error('a subscription that was just stored is not there');
  return row;
}

/** Stores the state of a subscription and the account it belongs to. */
export async function setBillingSubscription(
  tx: Database,
  { id, ...columns }: { id: number; accountId: number | null; facts: unknown },
): Promise<void> {
  const { billingSubscriptions } = tx.tables;
  await tx.write(tx.update(billingSubscriptions).set(columns).where(eq(billingSubscriptions.id, id)));
}

/** Every subscription of a customer, by id. */
export async function listCustomerSubscriptions(
  tx: Database,
  { provider, customerId }: { provider: string; customerId: string },
): Promise<BillingSubscriptionRow[]> {
  const { billingSubscriptions } = tx.tables;
  return tx
    .select(subscriptionColumns(tx))
    .from(billingSubscriptions)
    .where(and(eq(billingSubscriptions.provider, provider), eq(billingSubscriptions.customerId, customerId)))
    .orderBy(asc(billingSubscriptions.id));
}

/** All provider subscriptions of an account, by id. */
export async function listAccountSubscriptions(
  tx: Database,
  accountId: number,
): Promise<BillingSubscriptionRow[]> {
  const { billingSubscriptions } = tx.tables;
  return tx
    .select(subscriptionColumns(tx))
    .from(billingSubscriptions)
    .where(eq(billingSubscriptions.accountId, accountId))
    .orderBy(asc(billingSubscriptions.id));
}

/** The subscriptions of one customer that belong to an account, by the provider's id after `afterSubscriptionId`. */
export async function listPaidSubscriptions(
  db: Database,
  page: {
    accountId: number;
    provider: string;
    customerId: string;
    afterSubscriptionId: string | undefined;
    limit: number;
  },
): Promise<BillingSubscriptionRow[]> {
  const { billingSubscriptions } = db.tables;
  const { accountId, provider, customerId, afterSubscriptionId, limit } = page;
  return db
    .select(subscriptionColumns(db))
    .from(billingSubscriptions)
    .where(
      and(
        eq(billingSubscriptions.provider, provider),
        eq(billingSubscriptions.customerId, customerId),
        eq(billingSubscriptions.accountId, accountId),
        afterSubscriptionId === undefined
          ? undefined
          : gt(billingSubscriptions.subscriptionId, afterSubscriptionId),
      ),
    )
    .orderBy(asc(billingSubscriptions.subscriptionId))
    .limit(limit);
}

/** Our rows for a provider's list of subscriptions. Unknown ones are absent. */
export async function listBillingSubscriptions(
  db: Database,
  { provider, subscriptionIds }: { provider: string; subscriptionIds: readonly string[] },
): Promise<BillingSubscriptionRow[]> {
  const { billingSubscriptions } = db.tables;
  if (subscriptionIds.length === 0) return [];
  return db
    .select(subscriptionColumns(db))
    .from(billingSubscriptions)
    .where(
      and(
        eq(billingSubscriptions.provider, provider),
        inArray(billingSubscriptions.subscriptionId, [...subscriptionIds]),
      ),
    );
}

function subscriptionColumns({ tables }: Database) {
  const { id, provider, subscriptionId, customerId, accountId, facts } = tables.billingSubscriptions;
  return { id, provider, subscriptionId, customerId, accountId, facts };
}
