import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The customers reported by the billing providers. */
export const defineBillingCustomers = (v: Vocabulary) =>
  v.table(
    'billing_customers',
    {
      id: v.id(),
      provider: v.string(32),
      customerId: v.key(255),
      accountId: v.maybe.reference(),
      email: v.maybe.string(320),
      isGone: v.maybe.flag(),
      name: v.maybe.string(255),
      detail: v.maybe.json(),
      lastEventAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one row per customer of a provider', 'provider', 'customerId'),
      index('lists the customers of an account', 'accountId', 'id'),
    ],
  );
