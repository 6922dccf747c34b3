import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

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

/** The status of a delivery. */
export type WebhookStatus = 'received' | 'processed' | 'ignored' | 'rejected' | 'failed';

/**
 * Every delivery of a payment provider, accepted or rejected; the accepted ones are the inbox of the worker.
 */
export const defineWebhookLog = (v: Vocabulary) =>
  v.table(
    'webhook_log',
    {
      id: v.id(),
      provider: v.string(32),
      endpoint: v.string(64),
      eventId: v.maybe.string(255),
      dedupeKey: v.maybe.key(320),
      type: v.maybe.string(255),
      body: v.text(),
      bodyEncoding: v.string<'utf8' | 'base64'>(8).default('utf8'),
      bodyBytes: v.integer(),
      digest: v.digest(),
      status: v.string<WebhookStatus>(16),
      reason: v.maybe.string(500),
      attempts: v.integer().default(0),
      dueAtMs: v.maybe.instant(),
      leaseToken: v.maybe.string(64),
      leaseUntilMs: v.maybe.instant(),
      address: v.string(64),
      /** The account it is about, applied or not; null before the first attempt, and where it concerns none. */
      accountId: v.maybe.reference(),
      occurredAtMs: v.maybe.instant(),
      receivedAtMs: v.instant(),
      processedAtMs: v.maybe.instant(),
    },
    [
      unique('an event of a provider is stored once; a rejected delivery has no key', 'dedupeKey'),
      index('claims the events that are due', 'status', 'dueAtMs'),
      index('removes rejected deliveries after their week, and lists one status', 'status', 'receivedAtMs'),
      index('caps the rejected deliveries kept of one address', 'address', 'receivedAtMs'),
      index('lists the deliveries of one provider', 'provider', 'id'),
      index('lists the deliveries that were applied to an account', 'accountId', 'id'),
    ],
  );
