import { type ProviderSubscription, storedSubscriptionFacts } from '@gatehouse/auth-core';
import type { BillingSubscriptionRow } from '@gatehouse/db';

/** A stored subscription with its facts read back. */
export function toProviderSubscription(row: BillingSubscriptionRow): ProviderSubscription {
  const { provider, subscriptionId, customerId } = row;
  return { provider, subscriptionId, customerId, facts: storedSubscriptionFacts.parse(row.facts) };
}
