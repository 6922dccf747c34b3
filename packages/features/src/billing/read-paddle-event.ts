import type { Subscription } from '@paddle/paddle-node-sdk';
import { z } from 'zod';
import type { BillingClaims, SubscriptionSnapshot } from '../core/billing/billing-event.js';
import { claimOfData, claimsOfCustomer, claimsOfSubscription } from '../core/billing/billing-event.js';
import { accountIdInData, displayText, isoMilliseconds, providerId } from './provider-fields.js';

const subscriptionShape = z
  .object({
    id: providerId,
    customer_id: providerId,
    status: z.enum(['active', 'canceled', 'past_due', 'paused', 'trialing']),
    started_at: isoMilliseconds.nullish(),
    created_at: isoMilliseconds.nullish(),
    current_billing_period: z.object({ ends_at: isoMilliseconds }).nullish(),
    scheduled_change: z.object({ action: z.string(), effective_at: isoMilliseconds }).nullish(),
    items: z.array(z.object({ price: z.object({ id: providerId }).nullish() })).nullish(),
    custom_data: accountIdInData,
  })
  .transform((subscription) => {
    const change = subscription.scheduled_change;
    const snapshot: SubscriptionSnapshot = {
      status: subscription.status,
      prices: (subscription.items ?? []).flatMap((item) => item.price?.id ?? []),
      startedAtMs: subscription.started_at ?? subscription.created_at ?? null,
      periodEndsAtMs: subscription.current_billing_period?.ends_at ?? null,
      cancelAtMs: change?.action === 'cancel' ? change.effective_at : null,
      collectionPaused: false,
    };
    return {
      id: subscription.id,
      customerId: subscription.customer_id,
      accountId: subscription.custom_data,
      snapshot,
    };
  });

const transactionShape = z.object({
  customer_id: providerId.nullish(),
  subscription_id: providerId.nullish(),
  origin: z.string().nullish(),
  billing_period: z.object({ ends_at: isoMilliseconds }).nullish(),
  custom_data: accountIdInData,
});

const customerShape = z
  .object({
    id: providerId,
    email: displayText.nullish(),
    name: displayText.nullish(),
    custom_data: accountIdInData,
  })
  .transform(({ custom_data: accountId, ...customer }) => ({ ...customer, accountId }));

type Reader = (data: unknown) => BillingClaims | undefined;

const fromSubscription: Reader = (data) => claimsOfSubscription(subscriptionShape.parse(data));

/** The origins of the transactions that decide whether a subscription is paid: its renewals and its checkout. */
const CYCLE_ORIGINS: ReadonlySet<string | null | undefined> = new Set([
  'subscription_recurring',
  'web',
  undefined,
]);

const fromTransaction =
  (outcome: 'paid' | 'failed'): Reader =>
  (data) => {
    const transaction = transactionShape.parse(data);
    if (!transaction.customer_id || !transaction.subscription_id) return undefined;
    const coversUntilMs = transaction.billing_period?.ends_at ?? null;
    const payment = CYCLE_ORIGINS.has(transaction.origin) ? { outcome, coversUntilMs } : undefined;
    return {
      customerId: transaction.customer_id,
      subscription: {
        subscriptionId: transaction.subscription_id,
        account: claimOfData(transaction.custom_data),
        payment,
      },
    };
  };

/** Only a failed renewal leaves the subscription unpaid. A card declined at the checkout is tried again. */
function fromFailedPayment(data: unknown): BillingClaims | undefined {
  const isRenewal = transactionShape.parse(data).origin === 'subscription_recurring';
  return isRenewal ? fromTransaction('failed')(data) : undefined;
}

const fromCustomer: Reader = (data) => claimsOfCustomer(customerShape.parse(data));

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['customer.created', fromCustomer],
  ['customer.imported', fromCustomer],
  ['customer.updated', fromCustomer],
  ['subscription.activated', fromSubscription],
  ['subscription.canceled', fromSubscription],
  ['subscription.created', fromSubscription],
  ['subscription.imported', fromSubscription],
  ['subscription.past_due', fromSubscription],
  ['subscription.paused', fromSubscription],
  ['subscription.resumed', fromSubscription],
  ['subscription.trialing', fromSubscription],
  ['subscription.updated', fromSubscription],
  ['transaction.completed', fromTransaction('paid')],
  ['transaction.paid', fromTransaction('paid')],
  ['transaction.past_due', fromTransaction('failed')],
  ['transaction.payment_failed', fromFailedPayment],
]);

const eventShape = z.object({ event_type: z.string(), data: z.unknown() });

/**
 * The claims of a Paddle Billing event (API version 1); undefined if it is not about subscriptions.
 * @throws {ZodError} if an event about subscriptions does not have the documented shape
 */
export function readPaddleEvent(event: unknown): BillingClaims | undefined {
  const { event_type: type, data } = eventShape.parse(event);
  return READERS.get(type)?.(data);
}

/** A subscription as the SDK of Paddle's API returns it. */
export const readPaddleSubscription = (subscription: Subscription) =>
  subscriptionShape.parse(withNamesOfEvents(subscription));

/** The SDK renames the API's fields. Events have the original names. */
function withNamesOfEvents(subscription: Subscription): object {
  const { currentBillingPeriod, scheduledChange } = subscription;
  return {
    id: subscription.id,
    customer_id: subscription.customerId,
    status: subscription.status,
    started_at: subscription.startedAt,
    created_at: subscription.createdAt,
    current_billing_period: currentBillingPeriod && { ends_at: currentBillingPeriod.endsAt },
    scheduled_change: scheduledChange && {
      action: scheduledChange.action,
      effective_at: scheduledChange.effectiveAt,
    },
    items: subscription.items.map(({ price }) => ({ price: { id: price.id } })),
    custom_data: subscription.customData,
  };
}
