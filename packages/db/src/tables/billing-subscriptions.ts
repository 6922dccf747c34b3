import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The subscriptions reported by the billing providers. */
export const defineBillingSubscriptions = (v: Vocabulary) =>
  v.table(
    'billing_subscriptions',
    {
      id: v.id(),
      provider: v.key(32),
      subscriptionId: v.key(255),
      customerId: v.key(255),
      accountId: v.maybe.reference(),
      facts: v.json(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one row per subscription of a provider', 'provider', 'subscriptionId'),
      index('lists the subscriptions of an account', 'accountId', 'id'),
      index('finds the subscriptions of a customer', 'provider', 'customerId'),
    ],
  );
