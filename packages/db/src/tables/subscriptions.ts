import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The subscription state of an account. */
export type SubscriptionState = 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled' | 'expired';

/** The single subscription of each account. */
export const defineSubscriptions = (v: Vocabulary) =>
  v.table(
    'subscriptions',
    {
      id: v.id(),
      accountId: v.reference(),
      state: v.string<SubscriptionState>(16),
      trialEndsAtMs: v.maybe.instant(),
      trialExtendedAtMs: v.maybe.instant(),
      provider: v.maybe.string(32),
      providerCustomerId: v.maybe.key(255),
      providerSubscriptionId: v.maybe.key(255),
      plan: v.maybe.string(255),
      addOns: v.maybe.json<readonly string[]>(),
      isCollectionPaused: v.maybe.flag(),
      periodEndsAtMs: v.maybe.instant(),
      cancelAtMs: v.maybe.instant(),
      pastDueAtMs: v.maybe.instant(),
      lastEventAtMs: v.maybe.instant(),
      lastEventId: v.maybe.string(255),
      askedAtMs: v.maybe.instant(),
      detail: v.maybe.json(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one subscription per account', 'accountId'),
      index('ends the trials that are over', 'state', 'trialEndsAtMs'),
      index('finds subscriptions whose period is over', 'state', 'periodEndsAtMs'),
      index('finds the subscription an event is about', 'provider', 'providerSubscriptionId'),
      index('finds the account of a billing customer', 'provider', 'providerCustomerId'),
    ],
  );
