import { z } from 'zod';
import type { BillingClaims, ProviderStatus, SubscriptionSnapshot } from '../core/billing/billing-event.js';
import { claimOfData, claimsOfCustomer, claimsOfSubscription } from '../core/billing/billing-event.js';
import {
  accountIdFrom,
  accountIdInData,
  displayText,
  expandableId,
  providerId,
  unixMilliseconds,
} from './provider-fields.js';

/** `unpaid` is still live, with a debt; `incomplete` has not had its first payment. */
const STATUSES = {
  incomplete: 'pending',
  incomplete_expired: 'abandoned',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'paused',
  canceled: 'canceled',
} as const satisfies Record<string, ProviderStatus>;

const statusShape = z
  .enum([
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'unpaid',
    'paused',
    'canceled',
  ])
  .transform((status) => STATUSES[status]);

/** The period is on the items since API version 2025-03-31, before on the subscription. */
const subscriptionShape = z
  .object({
    id: providerId,
    customer: expandableId,
    status: statusShape,
    start_date: unixMilliseconds.nullish(),
    cancel_at: unixMilliseconds.nullish(),
    cancel_at_period_end: z.boolean().nullish(),
    pause_collection: z.looseObject({}).nullish(),
    current_period_end: unixMilliseconds.nullish(),
    items: z
      .object({
        data: z.array(
          z.object({
            price: z.object({ id: providerId }).nullish(),
            current_period_end: unixMilliseconds.nullish(),
          }),
        ),
      })
      .nullish(),
    metadata: accountIdInData,
  })
  .transform((subscription) => {
    const items = subscription.items?.data ?? [];
    const itemEnds = items.flatMap((item) => item.current_period_end ?? []);
    const periodEndsAtMs =
      itemEnds.length > 0 ? Math.max(...itemEnds) : (subscription.current_period_end ?? null);
    const snapshot: SubscriptionSnapshot = {
      status: subscription.status,
      prices: items.flatMap((item) => item.price?.id ?? []),
      startedAtMs: subscription.start_date ?? null,
      periodEndsAtMs,
      cancelAtMs:
        subscription.cancel_at ?? (subscription.cancel_at_period_end === true ? periodEndsAtMs : null),
      collectionPaused: (subscription.pause_collection ?? null) !== null,
    };
    return {
      id: subscription.id,
      customerId: subscription.customer,
      accountId: subscription.metadata,
      snapshot,
    };
  });

const checkoutShape = z.object({
  mode: z.string(),
  payment_status: z.string(),
  customer: expandableId.nullish(),
  subscription: expandableId.nullish(),
  client_reference_id: z.string().nullish(),
  customer_details: z.object({ email: displayText.nullish(), name: displayText.nullish() }).nullish(),
  metadata: accountIdInData,
});

/** The subscription is under `parent` since API version 2025-03-31, before on the invoice. */
const invoiceShape = z.object({
  customer: expandableId.nullish(),
  subscription: expandableId.nullish(),
  billing_reason: z.string().nullish(),
  lines: z
    .object({ data: z.array(z.object({ period: z.object({ end: unixMilliseconds }).nullish() })) })
    .nullish(),
  parent: z
    .object({
      subscription_details: z.object({ subscription: expandableId, metadata: accountIdInData }).nullish(),
    })
    .nullish(),
});

const customerShape = z
  .object({
    id: providerId,
    email: displayText.nullish(),
    name: displayText.nullish(),
    metadata: accountIdInData,
  })
  .transform(({ metadata: accountId, ...customer }) => ({ ...customer, accountId }));

type Reader = (
  object: unknown,
  previous: Readonly<Record<string, unknown>> | undefined,
) => BillingClaims | undefined;

const fromSubscription: Reader = (object, previous) => {
  const claims = claimsOfSubscription(subscriptionShape.parse(object));
  const before = previous ? fingerprint(object, previous) : null;
  return {
    ...claims,
    subscription: { ...claims.subscription, change: { before, after: fingerprint(object) } },
  };
};

const fromNewSubscription: Reader = (object) => {
  const claims = claimsOfSubscription(subscriptionShape.parse(object));
  return {
    ...claims,
    subscription: { ...claims.subscription, change: { before: '', after: fingerprint(object) } },
  };
};

/** The fields whose previous values Stripe puts into `previous_attributes`, by which events of one second are put in order. */
const TRACKED = [
  'status',
  'latest_invoice',
  'cancel_at',
  'cancel_at_period_end',
  'canceled_at',
  'ended_at',
  'trial_end',
  'default_payment_method',
  'pause_collection',
  'current_period_end',
];

/** `previous_attributes` has the whole list of items before a change. */
const trackedItems = z.object({
  data: z.array(
    z.object({
      price: z.object({ id: z.string() }).nullish(),
      current_period_end: z.number().nullish(),
    }),
  ),
});

function fingerprint(object: unknown, previous: Readonly<Record<string, unknown>> = {}): string {
  const fields = { ...z.record(z.string(), z.unknown()).parse(object), ...previous };
  const values = TRACKED.map((name) => fields[name] ?? null);
  const items = trackedItems.safeParse(fields['items']).data?.data ?? [];
  return JSON.stringify([
    ...values.map((value) => (typeof value === 'object' && value !== null ? 'set' : value)),
    ...items.map(({ price, current_period_end: end }) => `${price?.id} ${end}`),
  ]);
}

const fromCheckout =
  (payment: 'paid' | 'failed' | undefined): Reader =>
  (object) => {
    const session = checkoutShape.parse(object);
    if (session.mode !== 'subscription' || !session.customer || !session.subscription) return undefined;
    const reference = accountIdFrom(session.client_reference_id);
    const isSettled = session.payment_status === 'paid' || session.payment_status === 'no_payment_required';
    const outcome = payment ?? (isSettled ? 'paid' : undefined);
    return {
      customerId: session.customer,
      profile: session.customer_details
        ? { email: session.customer_details.email ?? null, name: session.customer_details.name ?? null }
        : undefined,
      subscription: {
        subscriptionId: session.subscription,
        account:
          claimOfData(session.metadata) ??
          (reference === undefined ? undefined : { accountId: reference, authority: 'reference' }),
        payment: outcome === undefined ? undefined : { outcome, coversUntilMs: null },
      },
    };
  };

/** The billing reasons of invoices that decide whether a subscription is paid; events of old API versions have none. */
const CYCLE_REASONS: ReadonlySet<string | null | undefined> = new Set([
  'subscription_cycle',
  'subscription_create',
  undefined,
]);

const fromInvoice =
  (outcome: 'paid' | 'failed'): Reader =>
  (object) => {
    const invoice = invoiceShape.parse(object);
    const { customer, parent } = invoice;
    const details = parent?.subscription_details;
    const subscriptionId = details?.subscription ?? invoice.subscription;
    if (!customer || !subscriptionId) return undefined;
    const ends = (invoice.lines?.data ?? []).flatMap((line) => line.period?.end ?? []);
    const coversUntilMs = ends.length > 0 ? Math.max(...ends) : null;
    const payment = CYCLE_REASONS.has(invoice.billing_reason) ? { outcome, coversUntilMs } : undefined;
    return {
      customerId: customer,
      subscription: { subscriptionId, account: claimOfData(details?.metadata), payment },
    };
  };

const fromCustomer: Reader = (object) => claimsOfCustomer(customerShape.parse(object));

function fromDeletedCustomer(object: unknown): BillingClaims {
  return { customerId: customerShape.parse(object).id, profile: { email: null, name: null }, isGone: true };
}

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['checkout.session.completed', fromCheckout(undefined)],
  ['checkout.session.async_payment_succeeded', fromCheckout('paid')],
  ['checkout.session.async_payment_failed', fromCheckout('failed')],
  ['customer.created', fromCustomer],
  ['customer.updated', fromCustomer],
  ['customer.deleted', fromDeletedCustomer],
  ['customer.subscription.created', fromNewSubscription],
  ['customer.subscription.updated', fromSubscription],
  ['customer.subscription.paused', fromSubscription],
  ['customer.subscription.resumed', fromSubscription],
  ['customer.subscription.pending_update_applied', fromSubscription],
  ['customer.subscription.pending_update_expired', fromSubscription],
  ['customer.subscription.trial_will_end', fromSubscription],
  ['customer.subscription.deleted', fromSubscription],
  ['invoice.paid', fromInvoice('paid')],
  ['invoice.payment_succeeded', fromInvoice('paid')],
  ['invoice.payment_failed', fromInvoice('failed')],
]);

const eventShape = z.object({
  type: z.string(),
  data: z.object({ object: z.unknown(), previous_attributes: z.record(z.string(), z.unknown()).nullish() }),
});

/**
 * The claims of a Stripe event (snapshot events, API versions 2022-11-15 to 2026-10-28); undefined if it is
 * not about subscriptions.
 * @throws {ZodError} if an event about subscriptions does not have the documented shape
 */
export function readStripeEvent(event: unknown): BillingClaims | undefined {
  const type = z.object({ type: z.string() }).parse(event).type;
  const read = READERS.get(type);
  if (read === undefined) return undefined;
  const { object, previous_attributes: previous } = eventShape.parse(event).data;
  return read(object, previous ?? undefined);
}

/** A subscription as Stripe's API lists it. */
export const readStripeSubscription = (subscription: unknown) => subscriptionShape.parse(subscription);
