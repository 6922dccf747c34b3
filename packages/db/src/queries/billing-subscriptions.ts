import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';

/** The stored state of a provider's subscription. `facts` is JSON of the caller. */
export type BillingSubscriptionRow = Pick<
  Tables['billingSubscriptions']['$inferSelect'],
  'id' | 'provider' | 'subscriptionId' | 'customerId' | 'accountId' | 'facts'
>;

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

/** A provider's subscription of an account. */
export interface PaidSubscription {
  readonly accountId: number;
  readonly provider: string;
  readonly subscriptionId: string;
  readonly customerId: string;
}

interface ReconciliationTimes {
  readonly endedBeforeMs: number;
  readonly askedBeforeMs: number;
}

/**
 * The accounts, at most `limit`, whose subscription is running although its known period ended before a time, and whose provider
 * was not asked since another.
 */
export async function listUnreportedRenewals(
  db: Database,
  { providers, limit, ...times }: ReconciliationTimes & { providers: readonly string[]; limit: number },
): Promise<PaidSubscription[]> {
  if (providers.length === 0) return [];
  const { subscriptions } = db.tables;
  const { accountId, provider, providerSubscriptionId, providerCustomerId } = subscriptions;
  const rows = await db
    .select({ accountId, provider, subscriptionId: providerSubscriptionId, customerId: providerCustomerId })
    .from(subscriptions)
    .where(and(inArray(provider, [...providers]), isUnreported(db, times)))
    .orderBy(asc(subscriptions.periodEndsAtMs))
    .limit(limit);
  return rows.flatMap(paidOf);
}

/** Reserves the request about an account's subscription. False if another node has sent one. */
export async function leaseReconciliation(
  db: Database,
  { accountId, nowMs, ...times }: ReconciliationTimes & { accountId: number; nowMs: number },
): Promise<boolean> {
  const { subscriptions } = db.tables;
  const isThis = and(eq(subscriptions.accountId, accountId), isUnreported(db, times));
  return (await db.write(db.update(subscriptions).set({ askedAtMs: nowMs }).where(isThis))) > 0;
}

/** A page of all known subscriptions of the providers, by the id of our row after `afterId`. */
export async function listKnownSubscriptions(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<{ id: number; provider: string; subscriptionId: string; customerId: string }[]> {
  const { billingSubscriptions } = db.tables;
  const { id, provider, subscriptionId, customerId } = billingSubscriptions;
  return db
    .select({ id, provider, subscriptionId, customerId })
    .from(billingSubscriptions)
    .where(gt(id, afterId))
    .orderBy(asc(id))
    .limit(limit);
}

/** Every subscription from an import that no event has been about. */
export async function listImportedSubscriptions(db: Database): Promise<PaidSubscription[]> {
  const { subscriptions } = db.tables;
  const { accountId, provider, providerSubscriptionId, providerCustomerId } = subscriptions;
  const rows = await db
    .select({ accountId, provider, subscriptionId: providerSubscriptionId, customerId: providerCustomerId })
    .from(subscriptions)
    .where(and(isNotNull(provider), isNull(subscriptions.lastEventId)))
    .orderBy(asc(subscriptions.id));
  return rows.flatMap(paidOf);
}

function isUnreported({ tables }: Database, { endedBeforeMs, askedBeforeMs }: ReconciliationTimes) {
  const { state, periodEndsAtMs, askedAtMs } = tables.subscriptions;
  return and(
    inArray(state, ['trialing', 'active', 'past_due', 'paused']),
    lt(periodEndsAtMs, endedBeforeMs),
    or(isNull(askedAtMs), lt(askedAtMs, askedBeforeMs)),
  );
}

function paidOf(row: {
  accountId: number;
  provider: string | null;
  subscriptionId: string | null;
  customerId: string | null;
}): PaidSubscription[] {
  const { accountId, provider, subscriptionId, customerId } = row;
  if (provider === null || subscriptionId === null || customerId === null) return [];
  return [{ accountId, provider, subscriptionId, customerId }];
}
