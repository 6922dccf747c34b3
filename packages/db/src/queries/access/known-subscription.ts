import { sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SubscriptionState } from '../../tables/subscriptions.js';

/** The subscription of an account, as it was written down last. */
export interface KnownSubscription {
  state: SubscriptionState;
  /** Null while the trial of the registration is all there is. */
  provider: string | null;
  trialEndsAtMs: number | null;
  periodEndsAtMs: number | null;
  cancelAtMs: number | null;
  /** Since when a payment is missing; null unless one is. */
  pastDueAtMs: number | null;
}

/** The columns of subscriptions that are part of an account's state. */
export function subscriptionColumns({ tables }: Database) {
  const { state, provider, trialEndsAtMs, periodEndsAtMs, cancelAtMs } = tables.subscriptions;
  const { pastDueAtMs, lastEventAtMs, updatedAtMs } = tables.subscriptions;
  return {
    state,
    provider,
    trialEndsAtMs,
    periodEndsAtMs,
    cancelAtMs,
    // Rows of an older release and imported ones do not say since when.
    pastDueAtMs: sql<
      number | null
    >`case when ${state} = 'past_due' then coalesce(${pastDueAtMs}, ${lastEventAtMs}, ${updatedAtMs}) end`.mapWith(
      Number,
    ),
  };
}

/** A subscription as those columns of an outer join hold it. */
export function toKnownSubscription(
  row: Omit<KnownSubscription, 'state'> & { state: SubscriptionState | null },
): KnownSubscription | null {
  const { state, provider, trialEndsAtMs, periodEndsAtMs, cancelAtMs, pastDueAtMs } = row;
  return state === null ? null : { state, provider, trialEndsAtMs, periodEndsAtMs, cancelAtMs, pastDueAtMs };
}
