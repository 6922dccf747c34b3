import type { ServerResponse } from 'node:http';
import { invoicesOf } from './invoices.js';
import {
  addCustomer,
  addSale,
  type Customer,
  type Invoice,
  newId,
  type Sale,
  type Shop,
  type Subscription,
} from './shop.js';

/** The API key that the simulated Stripe accepts. */
export const STRIPE_KEY = 'sk_test_simulated-stripe-key';

export interface ApiRequest {
  readonly method: string;
  /** A path below the API's URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly origin: string;
  /** Subscriptions from generated events. */
  readonly told: readonly {
    readonly id: string;
    readonly customer?: string | undefined;
    readonly customer_id?: string | undefined;
  }[];
}

export interface ApiAnswer {
  readonly status: number;
  readonly json: object;
  /** The subscription that the request has ended, for its event. */
  readonly canceled?: Subscription;
}

const API_VERSION = '2026-10-28.endive';
const seconds = (ms: number) => Math.floor(ms / 1000);
const ok = (json: object): ApiAnswer => ({ status: 200, json });
const refused = (status: number, message: string): ApiAnswer => ({
  status,
  json: { error: { type: 'invalid_request_error', message } },
});
const missing = (what: string, param = 'id'): ApiAnswer => ({
  status: param === 'id' ? 404 : 400,
  json: {
    error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}`, param },
  },
});

/** The part of Stripe's API that Gatehouse uses. */
export function answerAsStripe(shop: Shop, request: ApiRequest): ApiAnswer {
  const { method, path, query, origin } = request;
  const fields = new URLSearchParams(request.body);
  if (method === 'POST' && path === '/customers') {
    const accountId = fields.get('metadata[accountId]') ?? undefined;
    return ok(customerJson(addCustomer(shop, 'stripe', { accountId, email: undefined })));
  }
  if (method === 'POST' && path === '/checkout/sessions') {
    const priceId = fields.get('line_items[0][price]');
    const returnUrl = fields.get('success_url');
    if (priceId === null || returnUrl === null || fields.get('mode') !== 'subscription')
      return refused(400, 'Missing required param');
    const customerId = fields.get('customer') ?? undefined;
    if (customerId !== undefined && !shop.customers.has(customerId)) return missing('customer', 'customer');
    const accountId = fields.get('subscription_data[metadata][accountId]') ?? undefined;
    return ok(sessionJson(addSale(shop, 'stripe', { accountId, returnUrl, priceId, customerId }), origin));
  }
  const [, saleId, expire] = /^\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? [];
  if (saleId !== undefined) {
    const sale = shop.sales.get(saleId);
    if (!sale) return missing('checkout.session');
    if (expire !== undefined) {
      if (sale.status !== 'open')
        return refused(400, 'Only Checkout Sessions with a status in ["open"] expire');
      sale.status = 'ended';
    }
    return ok(sessionJson(sale, origin));
  }
  if (method === 'POST' && path === '/billing_portal/sessions') {
    const customer = fields.get('customer') ?? '';
    if (!customer.startsWith('cus_') || shop.forgotten.has(customer)) return missing('customer', 'customer');
    const flow = fields.get('flow_data[type]');
    const isCancel = flow === 'subscription_cancel';
    if (flow !== null) {
      const subscription = shop.subscriptions.get(fields.get(`flow_data[${flow}][subscription]`) ?? '');
      if (!subscription) return missing('subscription', 'subscription');
      if (isCancel && subscription.cancelsAtPeriodEnd)
        return refused(400, 'The subscription is already set to be canceled');
    }
    const back = encodeURIComponent(fields.get('return_url') ?? '');
    const part = flow === null ? '' : `&part=${isCancel ? 'cancel' : 'change'}`;
    const url = `${origin}/stripe/portal/${customer}?back=${back}${part}`;
    return ok({ id: newId('bps'), object: 'billing_portal.session', customer, livemode: false, url });
  }
  if (method === 'GET' && path === '/subscriptions') {
    const customer = query.get('customer');
    const data = [...shop.subscriptions.values()]
      .filter(({ customerId }) => customerId === customer)
      .map(subscriptionJson);
    const told = request.told.filter((each) => each.customer === customer);
    return ok({ object: 'list', url: '/v1/subscriptions', has_more: false, data: [...data, ...told] });
  }
  if (method === 'GET' && path === '/invoices') {
    const customer = query.get('customer') ?? '';
    const own = invoicesOf(shop, customer);
    if (shop.forgotten.has(customer) || (own.length === 0 && !shop.customers.has(customer)))
      return missing('customer', 'customer');
    const limit = Number(query.get('limit') ?? 10);
    const data = own.slice(0, limit).map((invoice) => invoiceJson(invoice, origin));
    return ok({ object: 'list', url: '/v1/invoices', has_more: own.length > limit, data });
  }
  const [, customerId] = /^\/customers\/([^/]+)$/.exec(path) ?? [];
  if (customerId !== undefined) {
    const customer = shop.customers.get(customerId);
    if (customer) return ok(customerJson(customer));
    if (shop.forgotten.has(customerId)) return ok({ id: customerId, object: 'customer', deleted: true });
    return missing('customer');
  }
  const [, subscriptionId] = /^\/subscriptions\/([^/]+)$/.exec(path) ?? [];
  const told = request.told.find(({ id }) => id === subscriptionId);
  if (told && method === 'GET') return ok(told);
  const subscription = shop.subscriptions.get(subscriptionId ?? '');
  if (subscriptionId !== undefined && !subscription) return missing('subscription');
  if (subscription) {
    if (method === 'DELETE') {
      if (subscription.status === 'canceled') return refused(404, 'No such subscription');
      subscription.status = 'canceled';
      return { ...ok(subscriptionJson(subscription)), canceled: subscription };
    }
    return ok(subscriptionJson(subscription));
  }
  return refused(404, 'Unrecognized request URL');
}

function customerJson({ id, accountId, email }: Customer): object {
  const metadata = accountId === undefined ? {} : { accountId };
  return { id, object: 'customer', email: email ?? null, name: null, livemode: false, metadata };
}

function sessionJson(sale: Sale, origin: string): object {
  const { id, accountId, customerId, subscriptionId, status } = sale;
  return {
    id,
    object: 'checkout.session',
    client_reference_id: accountId ?? null,
    customer: customerId ?? null,
    customer_details: null,
    expires_at: seconds(sale.expiresAtMs),
    livemode: false,
    metadata: accountId === undefined ? {} : { accountId },
    mode: 'subscription',
    payment_status: status === 'paid' ? 'paid' : 'unpaid',
    status: { open: 'open', paid: 'complete', ended: 'expired' }[status],
    subscription: subscriptionId ?? null,
    url: status === 'open' ? `${origin}/stripe/checkout/${id}` : null,
  };
}

function subscriptionJson(subscription: Subscription): object {
  const { id, customerId, accountId, priceId, startedAtMs, periodEndsAtMs } = subscription;
  return {
    id,
    object: 'subscription',
    cancel_at: null,
    cancel_at_period_end: subscription.cancelsAtPeriodEnd,
    created: seconds(startedAtMs),
    customer: customerId,
    items: {
      object: 'list',
      has_more: false,
      data: [
        {
          id: `si_${id}`,
          current_period_start: seconds(startedAtMs),
          current_period_end: seconds(periodEndsAtMs),
          price: { id: priceId, object: 'price' },
        },
      ],
    },
    livemode: false,
    metadata: accountId === undefined ? {} : { accountId },
    start_date: seconds(startedAtMs),
    status: subscription.status,
  };
}

/** The latest change, as the event Stripe would send. */
export type StripeHappening =
  | { readonly type: `customer.subscription.${string}`; readonly subscription: Subscription }
  | { readonly type: `invoice.${string}`; readonly subscription: Subscription; readonly invoice: Invoice }
  | { readonly type: 'checkout.session.completed'; readonly sale: Sale };

/**
 * @param atSeconds later than the previous event: Stripe's times are whole seconds, and its events of one
 * second are unordered
 */
export function stripeEvent(
  happening: StripeHappening,
  { origin, atSeconds }: { origin: string; atSeconds: number },
): object {
  return {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: atSeconds,
    data: { object: objectOf(happening, origin) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: happening.type,
  };
}

function objectOf(happening: StripeHappening, origin: string): object {
  if ('sale' in happening) return sessionJson(happening.sale, origin);
  if (!('invoice' in happening)) return subscriptionJson(happening.subscription);
  const { subscription, invoice } = happening;
  const metadata = subscription.accountId === undefined ? {} : { accountId: subscription.accountId };
  return {
    ...invoiceJson(invoice, origin),
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: subscription.id, metadata },
    },
  };
}

function invoiceJson(invoice: Invoice, origin: string): object {
  const { id, customerId, number, cents, issuedAtMs, status } = invoice;
  const isPaid = status === 'paid';
  const page = `${origin}/stripe/invoice/${id}`;
  return {
    id,
    object: 'invoice',
    amount_due: cents,
    amount_paid: isPaid ? cents : 0,
    amount_remaining: isPaid ? 0 : cents,
    attempt_count: 1,
    billing_reason: 'subscription_cycle',
    created: seconds(issuedAtMs),
    currency: 'eur',
    customer: customerId,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    livemode: false,
    number,
    status,
    status_transitions: {
      finalized_at: seconds(issuedAtMs),
      marked_uncollectible_at: null,
      paid_at: isPaid ? seconds(issuedAtMs) : null,
      voided_at: null,
    },
    subtotal: cents,
    total: cents,
  };
}

/** Stripe answers a repeated request with the same key as before, and refuses a different request with that key. */
export function createIdempotency(): (
  key: string | undefined,
  body: string,
  answer: () => ApiAnswer,
) => ApiAnswer {
  const answers = new Map<string, { body: string; answer: ApiAnswer }>();
  return (key, body, answer) => {
    if (key === undefined) return answer();
    const known = answers.get(key);
    if (known && known.body !== body)
      return refused(400, 'Keys for idempotent requests need the same parameters');
    if (known) return known.answer;
    const fresh = answer();
    answers.set(key, { body, answer: fresh });
    return fresh;
  };
}

export function sendJson(response: ServerResponse, { status, json }: ApiAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}
