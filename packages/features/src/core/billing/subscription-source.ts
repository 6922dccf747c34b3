import type { AccountCustomer } from '@gatehouse/db/queries/billing-customer';
import type { BegunStatus, BillingProvider, ProviderStatus, SubscriptionSnapshot } from './billing-event.js';

/** A query to a source: one customer's subscriptions after a given one, at most `limit`. */
interface SourcePage {
  readonly accountId: number;
  readonly provider: BillingProvider;
  readonly customer: AccountCustomer;
  /** The provider's id of the last subscription seen; undefined at first. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface SourcedSubscription {
  readonly subscriptionId: string;
  /** The account that the subscription names; undefined if none. */
  readonly accountId: number | undefined;
  readonly status: BegunStatus;
  readonly snapshot: SubscriptionSnapshot | undefined;
}

interface SourceAnswer {
  readonly rows: readonly SourcedSubscription[];
  /** The start of the customer's next page; undefined after the last one. */
  readonly after: string | undefined;
}

/** A source of a customer's subscriptions. */
export type SubscriptionSource = (page: SourcePage) => Promise<SourceAnswer>;

/** A subscription in a provider's list; undefined if never paid. */
export function toSourced(listed: {
  id: string;
  accountId: number | undefined;
  snapshot: SubscriptionSnapshot;
}): SourcedSubscription | undefined {
  const { id, accountId, snapshot } = listed;
  return hasBegun(snapshot.status)
    ? { subscriptionId: id, accountId, status: snapshot.status, snapshot }
    : undefined;
}

function hasBegun(status: ProviderStatus): status is BegunStatus {
  return status !== 'pending' && status !== 'abandoned';
}
