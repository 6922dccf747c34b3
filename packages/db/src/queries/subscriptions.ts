import { and, asc, eq, isNull, lte } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { SubscriptionState } from '../tables/billing-tables.js';
import type { AccessTransaction } from './change-access.js';

/** The single subscription of an account. */
export interface SubscriptionRow {
  accountId: number;
  state: SubscriptionState;
  trialEndsAtMs: number | null;
  /** When staff last extended the trial. */
  trialExtendedAtMs: number | null;
  provider: string | null;
  providerCustomerId: string | null;
  providerSubscriptionId: string | null;
  plan: string | null;
  periodEndsAtMs: number | null;
  cancelAtMs: number | null;
  pastDueAtMs: number | null;
  addOns: readonly string[] | null;
  isCollectionPaused: boolean | null;
  lastEventId: string | null;
  updatedAtMs: number;
}

/** The subscription of an account, or undefined if it never had one. */
export async function findSubscription(
  db: Database,
  accountId: number,
): Promise<SubscriptionRow | undefined> {
  const { subscriptions } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(subscriptions)
    .where(eq(subscriptions.accountId, accountId));
  return row;
}

/** The imported subscription of an account from the replaced system, until an event changes it. */
export async function findImportedSubscription(
  db: Database,
  { provider, customerId }: { provider: string; customerId: string },
): Promise<SubscriptionRow | undefined> {
  const { subscriptions } = db.tables;
  const [row] = await db
    .select(columns(db))
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.provider, provider),
        eq(subscriptions.providerCustomerId, customerId),
        isNull(subscriptions.lastEventId),
      ),
    )
    .orderBy(asc(subscriptions.accountId))
    .limit(1);
  return row;
}

/**
 * Locks the subscription of an account until the transaction ends, and creates it if missing. It is derived from
 * several customers, so only one transaction may derive it at a time.
 */
export async function openSubscription(
  tx: AccessTransaction,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<SubscriptionRow> {
  const { subscriptions } = tx.tables;
  const hold = () =>
    tx.write(
      tx.update(subscriptions).set({ updatedAtMs: nowMs }).where(eq(subscriptions.accountId, accountId)),
    );
  if ((await hold()) === 0) {
    const row = { accountId, state: 'expired', createdAtMs: nowMs, updatedAtMs: nowMs } as const;
    if (!(await tx.insertOnce(subscriptions, row))) await hold();
  }
  const row = await findSubscription(tx, accountId);
  if (row === undefined) throw new Error('a subscription that was just stored is not there');
  return row;
}

/**
 * Stores the subscription derived from an event. It is part of the account's state, so all nodes are
 * notified. The event's id is always new, so two nodes that derive it at once conflict on a cluster and one
 * retries.
 */
export async function setSubscription(
  tx: AccessTransaction,
  {
    accountId,
    ...change
  }: Omit<SubscriptionRow, 'trialEndsAtMs' | 'trialExtendedAtMs'> & {
    lastEventId: string;
    lastEventAtMs: number;
  },
): Promise<void> {
  const { subscriptions } = tx.tables;
  await tx.write(tx.update(subscriptions).set(change).where(eq(subscriptions.accountId, accountId)));
}

/** Starts or extends the trial of an account, in place of a paid subscription that is over. */
export async function setTrial(
  tx: AccessTransaction,
  { accountId, trialEndsAtMs, nowMs }: { accountId: number; trialEndsAtMs: number; nowMs: number },
): Promise<void> {
  const { subscriptions } = tx.tables;
  await tx.write(
    tx
      .update(subscriptions)
      .set({
        state: 'trialing',
        trialEndsAtMs,
        trialExtendedAtMs: nowMs,
        provider: null,
        providerCustomerId: null,
        providerSubscriptionId: null,
        plan: null,
        addOns: null,
        isCollectionPaused: null,
        periodEndsAtMs: null,
        cancelAtMs: null,
        pastDueAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(eq(subscriptions.accountId, accountId)),
  );
}

/** The accounts, at most `limit`, whose registration trial is over but not ended yet, and which have subscriptions at a provider. */
export async function listEndedTrialsWithSubscriptions(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number[]> {
  const { subscriptions, billingSubscriptions } = db.tables;
  const { accountId } = subscriptions;
  const rows = await db
    .select({ accountId })
    .from(subscriptions)
    .innerJoin(billingSubscriptions, eq(billingSubscriptions.accountId, accountId))
    .where(isOverTrial(db, nowMs))
    .groupBy(accountId)
    .limit(limit);
  return rows.map((row) => row.accountId);
}

function isOverTrial({ tables: { subscriptions } }: Database, nowMs: number) {
  return and(
    eq(subscriptions.state, 'trialing'),
    lte(subscriptions.trialEndsAtMs, nowMs),
    isNull(subscriptions.provider),
  );
}

/** The accounts, at most `limit`, whose registration trial is over but not ended yet. */
export async function listEndedTrials(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number[]> {
  const { accountId } = db.tables.subscriptions;
  const rows = await db
    .select({ accountId })
    .from(db.tables.subscriptions)
    .where(isOverTrial(db, nowMs))
    .limit(limit);
  return rows.map((row) => row.accountId);
}

/** Ends the registration trial of an account, if it is over. Returns whether it did. */
export async function expireTrial(
  tx: Database,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<boolean> {
  const { subscriptions } = tx.tables;
  const isOver = and(eq(subscriptions.accountId, accountId), isOverTrial(tx, nowMs));
  const ended = tx.update(subscriptions).set({ state: 'expired', updatedAtMs: nowMs }).where(isOver);
  return (await tx.write(ended)) === 1;
}

function columns({ tables }: Database) {
  const { accountId, state, trialEndsAtMs, trialExtendedAtMs } = tables.subscriptions;
  const { provider, providerCustomerId, providerSubscriptionId } = tables.subscriptions;
  const { plan, addOns, isCollectionPaused, periodEndsAtMs, cancelAtMs, pastDueAtMs } = tables.subscriptions;
  const { lastEventId, updatedAtMs } = tables.subscriptions;
  return {
    accountId,
    state,
    trialEndsAtMs,
    trialExtendedAtMs,
    provider,
    providerCustomerId,
    providerSubscriptionId,
    plan,
    periodEndsAtMs,
    cancelAtMs,
    pastDueAtMs,
    addOns,
    isCollectionPaused,
    lastEventId,
    updatedAtMs,
  };
}
