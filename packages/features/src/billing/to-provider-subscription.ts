import type { BillingSubscriptionRow } from '@gatehouse/db';
import type { ProviderSubscription } from './account-subscription.js';
import { storedSubscriptionFacts } from './stored-facts.js';

/** A stored subscription with its parsed facts. */
export function toProviderSubscription(row: BillingSubscriptionRow): ProviderSubscription {
  const { provider, subscriptionId, customerId } = row;
  return { provider, subscriptionId, customerId, facts: storedSubscriptionFacts.parse(row.facts) };
}
