import { sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SubscriptionState } from '../../tables/subscriptions.js';

/** The latest recorded subscription of an account. */
export interface KnownSubscription {
  state: SubscriptionState;
  /** Null while the account only has its registration trial. */
  provider: string | null;
  trialEndsAtMs: number | null;
  periodEndsAtMs: number | null;
  cancelAtMs: number | null;
  /** Since when a payment is missing; null if none is. */
  pastDueAtMs: number | null;
  /** The provider's ids of the prices that are paid beside the plan; null for none. */
  addOns: readonly string[] | null;
  /** Whether the provider collects no payments for now; null for no. */
  isCollectionPaused: boolean | null;
}

/** The columns of subscriptions that are part of an account's state. */
export function subscriptionColumns({ tables }: Database) {
  const { state, provider, trialEndsAtMs, periodEndsAtMs, cancelAtMs } = tables.subscriptions;
  const { pastDueAtMs, lastEventAtMs, updatedAtMs, addOns, isCollectionPaused } = tables.subscriptions;
  return {
    state,
    provider,
    trialEndsAtMs,
    periodEndsAtMs,
    cancelAtMs,
    addOns,
    isCollectionPaused,
    // Imported rows and rows of older releases have no such time.
    pastDueAtMs: sql<
      number | null
    >`case when ${state} = 'past_due' then coalesce(${pastDueAtMs}, ${lastEventAtMs}, ${updatedAtMs}) end`.mapWith(
      Number,
    ),
  };
}

/** The same columns in an outer join. */
export function toKnownSubscription(
  row: Omit<KnownSubscription, 'state'> & { state: SubscriptionState | null },
): KnownSubscription | null {
  const {
    state,
    provider,
    trialEndsAtMs,
    periodEndsAtMs,
    cancelAtMs,
    pastDueAtMs,
    addOns,
    isCollectionPaused,
  } = row;
  if (state === null) return null;
  return {
    state,
    provider,
    trialEndsAtMs,
    periodEndsAtMs,
    cancelAtMs,
    pastDueAtMs,
    addOns,
    isCollectionPaused,
  };
}
