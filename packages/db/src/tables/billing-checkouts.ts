import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/**
 * The one checkout an account may have open at a billing provider. The first columns are the attempt to open
 * one and its lease; `open…` and the columns after it describe the provider's checkout.
 */
export const defineBillingCheckouts = (v: Vocabulary) =>
  v.table(
    'billing_checkouts',
    {
      id: v.id(),
      accountId: v.reference(),
      provider: v.string(32),
      priceId: v.string(255),
      attemptKey: v.string(64),
      leaseToken: v.maybe.string(64),
      leaseUntilMs: v.maybe.instant(),
      openProvider: v.maybe.string(32),
      openPriceId: v.maybe.string(255),
      checkoutId: v.maybe.string(255),
      url: v.maybe.text(),
      expiresAtMs: v.maybe.instant(),
      checkedAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [unique('one checkout per account', 'accountId')],
  );
