import Stripe from 'stripe';
import { claimsOfSubscription } from '../core/billing/billing-event.js';
import type {
  CheckoutRequest,
  PaidCheckout,
  PaymentApi,
  PortalRequest,
  ProviderCheckout,
} from '../core/billing/payment-api.js';
import { stripeInvoicesFrom } from './read-invoices.js';
import { readStripeSubscription } from './read-stripe-event.js';

/**
 * The parts of Stripe's API that we use.
 * @param url the URL of the API
 */
export function createStripeApi(stripe: Stripe, url: string): PaymentApi {
  const readInvoices = stripeInvoicesFrom(url);

  async function end(checkoutId: string): Promise<'ended' | PaidCheckout> {
    const session = await stripe.checkout.sessions
      .retrieve(checkoutId)
      .then(requireKind('checkout.session'))
      .catch(undefinedIfGone);
    if (session === undefined) return 'ended';
    if (session.status === 'complete') return paid(session);
    if (session.status === 'open')
      await stripe.checkout.sessions.expire(checkoutId).then(requireKind('checkout.session'));
    return 'ended';
  }

  /** The last checkout if it is open for the same price; otherwise this call has ended it. */
  async function goOnWith(
    previous: NonNullable<CheckoutRequest['previous']>,
    priceId: string,
  ): Promise<ProviderCheckout | PaidCheckout | undefined> {
    const session = await stripe.checkout.sessions
      .retrieve(previous.checkoutId)
      .then(requireKind('checkout.session'))
      .catch(undefinedIfGone);
    if (session?.status === 'complete') return paid(session);
    if (session?.status !== 'open') return undefined;
    if (previous.priceId === priceId) return opened(session);
    await stripe.checkout.sessions.expire(previous.checkoutId).then(requireKind('checkout.session'));
    return undefined;
  }

  return {
    async createCustomer({ accountId, idempotencyKey }) {
      // Stripe refuses a known key with different parameters, so these must not vary.
      const { id } = await stripe.customers.create(
        { metadata: { accountId: String(accountId) } },
        { idempotencyKey },
      );
      return idOf(id);
    },
    async openCheckout({ accountId, customerId, priceId, idempotencyKey, returnUrl, previous }) {
      const known = previous && (await goOnWith(previous, priceId));
      if (known) return known;
      const metadata = { accountId: String(accountId) };
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          client_reference_id: String(accountId),
          line_items: [{ price: priceId, quantity: 1 }],
          metadata,
          subscription_data: { metadata },
          success_url: returnUrl,
          cancel_url: returnUrl,
          ...(customerId === undefined ? {} : { customer: customerId }),
        },
        { idempotencyKey },
      );
      return opened(session);
    },
    endCheckout: end,
    async cancelSubscription(subscriptionId) {
      const known = await stripe.subscriptions
        .retrieve(subscriptionId)
        .then(requireKind('subscription'))
        .catch(undefinedIfGone);
      if (known === undefined || known.status === 'canceled' || known.status === 'incomplete_expired') return;
      await stripe.subscriptions.cancel(subscriptionId).then(requireKind('subscription'));
    },
    async findSubscription(subscriptionId) {
      const known = await stripe.subscriptions
        .retrieve(subscriptionId)
        .then(requireKind('subscription'))
        .catch(undefinedIfGone);
      return known && claimsOfSubscription(readStripeSubscription(known));
    },
    async hasCustomer(customerId) {
      const customer = await stripe.customers
        .retrieve(customerId)
        .then(requireKind('customer'))
        .catch(undefinedIfGone);
      return customer !== undefined && !customer.deleted;
    },
    async openPortal({ customerId, returnUrl, change }) {
      const overview = { customer: customerId, return_url: returnUrl };
      const session = await stripe.billingPortal.sessions
        .create(change ? { ...overview, flow_data: flowOf(change, returnUrl) } : overview)
        .catch((error: unknown) => {
          // Stripe refuses what the portal's settings do not allow, and subscriptions that it already regards as canceled.
          if (!change || !(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          return stripe.billingPortal.sessions.create(overview);
        });
      return pageOf(session.url);
    },
    async listInvoices({ customerId, limit }) {
      const page = await stripe.invoices.list({ customer: customerId, limit }).catch(undefinedIfGone);
      return page === undefined ? { invoices: [], hasOlder: false } : readInvoices(page);
    },
  };
}

function flowOf(
  { kind, subscriptionId: subscription }: NonNullable<PortalRequest['change']>,
  returnUrl: string,
): Stripe.BillingPortal.SessionCreateParams.FlowData {
  const after = { type: 'redirect', redirect: { return_url: returnUrl } } as const;
  return kind === 'cancel'
    ? { type: 'subscription_cancel', subscription_cancel: { subscription }, after_completion: after }
    : { type: 'subscription_update', subscription_update: { subscription }, after_completion: after };
}

/**
 * Refuses an answer that is not of this kind. The SDK accepts any JSON without `error`, whatever its status, such as
 * `{"message":"Forbidden"}` of a gateway, and then nothing has ended.
 */
function requireKind(kind: string): <Answer extends { readonly object: string }>(answer: Answer) => Answer {
  return (answer) => {
    if (answer.object !== kind) throw new TypeError(`an answer that is no ${kind}`);
    return answer;
  };
}

/** Only Stripe's own answer says that something does not exist; a 404 of a gateway is a failure. */
function undefinedIfGone(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
    return undefined;
  throw error;
}

function paid({ subscription }: Stripe.Checkout.Session): PaidCheckout {
  const subscriptionId = typeof subscription === 'string' ? subscription : (subscription?.id ?? null);
  return { paidFor: { subscriptionId } };
}

function opened({ id, url, expires_at: expiresAt }: Stripe.Checkout.Session): ProviderCheckout {
  if (!Number.isSafeInteger(expiresAt)) throw new TypeError('a session without an end');
  return { checkoutId: idOf(id), url: pageOf(url), expiresAtMs: expiresAt * 1000 };
}

/** The SDK does not check the shape of answers. */
function idOf(id: unknown): string {
  if (typeof id !== 'string') throw new TypeError('something without an id');
  return id;
}

function pageOf(url: string | null): string {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw new TypeError('a session without a page');
  return url;
}
