import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

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

/** The accounts, at most `limit`, whose subscription runs though its known period ended before a time, and was not asked about since another. */
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

/** Reserves asking about an account's subscription. False if another node has asked. */
export async function leaseReconciliation(
  db: Database,
  { accountId, nowMs, ...times }: ReconciliationTimes & { accountId: number; nowMs: number },
): Promise<boolean> {
  const { subscriptions } = db.tables;
  const isThis = and(eq(subscriptions.accountId, accountId), isUnreported(db, times));
  return (await db.write(db.update(subscriptions).set({ askedAtMs: nowMs }).where(isThis))) > 0;
}

/** A page of all subscriptions known of the providers, by the id of our row after `afterId`. */
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
