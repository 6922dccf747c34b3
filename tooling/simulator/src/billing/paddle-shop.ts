import { z } from 'zod';
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
import type { ApiAnswer, ApiRequest } from './stripe-shop.js';

/** The API key that the simulated Paddle accepts. */
export const PADDLE_KEY = 'pdl_sdbx_apikey_simulated-paddle-key';

const customData = z.object({
  account_id: z.coerce.string().optional(),
  accountId: z.coerce.string().optional(),
});
const bodyShape = z.object({
  email: z.string().optional(),
  custom_data: customData.nullish(),
  customer_id: z.string().nullish(),
  items: z.array(z.object({ price_id: z.string(), quantity: z.number() })).optional(),
  checkout: z.object({ url: z.string().nullish() }).nullish(),
  status: z.string().optional(),
  subscription_ids: z.array(z.string()).optional(),
});

const iso = (ms: number) => new Date(ms).toISOString();
const ok = (data: unknown): ApiAnswer => ({ status: 200, json: { data, meta: { request_id: 'simulated' } } });
const refused = (status: number, code: string, detail = code): ApiAnswer => ({
  status,
  json: { error: { type: 'request_error', code, detail, documentation_url: '' } },
});
const listed = (data: object[], hasMore = false): ApiAnswer => ({
  status: 200,
  json: {
    data,
    meta: {
      request_id: 'simulated',
      pagination: { per_page: 50, next: '', has_more: hasMore, estimated_total: data.length },
    },
  },
});

/** The part of Paddle's API that Gatehouse uses. */
export function answerAsPaddle(shop: Shop, request: ApiRequest): ApiAnswer {
  const { method, path, query, origin } = request;
  const body = bodyShape.parse(request.body === '' ? {} : JSON.parse(request.body));
  const accountId = body.custom_data?.accountId ?? body.custom_data?.account_id;
  const customers = [...shop.customers.values()].filter(({ provider }) => provider === 'paddle');
  if (path === '/customers' && method === 'GET') {
    return listed(customers.filter(({ email }) => email === query.get('email')).map(customerJson));
  }
  if (path === '/customers' && method === 'POST') {
    const { email } = body;
    if (email === undefined) return refused(400, 'bad_request');
    const known = customers.find((customer) => customer.email === email);
    if (known) {
      const detail = `customer email conflicts with customer of id ${known.id}`;
      return refused(409, 'customer_already_exists', detail);
    }
    return ok(customerJson(addCustomer(shop, 'paddle', { accountId, email })));
  }
  const [, portalOf] = /^\/customers\/([^/]+)\/portal-sessions$/.exec(path) ?? [];
  if (portalOf !== undefined) {
    if (!shop.customers.has(portalOf)) return refused(404, 'entity_not_found');
    const overview = `${origin}/paddle/portal/${portalOf}`;
    const subscriptions = (body.subscription_ids ?? []).map((id) => ({
      id,
      cancel_subscription: `${overview}?part=cancel`,
      update_subscription_payment_method: overview,
    }));
    return ok({
      id: newId('cpls'),
      customer_id: portalOf,
      urls: { general: { overview }, subscriptions },
      created_at: iso(Date.now()),
    });
  }
  const [, customerId] = /^\/customers\/([^/]+)$/.exec(path) ?? [];
  if (customerId !== undefined) {
    const customer = shop.customers.get(customerId);
    return customer ? ok(customerJson(customer)) : refused(404, 'entity_not_found');
  }
  if (path === '/transactions' && method === 'POST') {
    const priceId = body.items?.[0]?.price_id;
    if (priceId === undefined) return refused(400, 'bad_request');
    if (shop.forgotten.has(body.customer_id ?? '')) return refused(404, 'entity_not_found');
    const sale = addSale(shop, 'paddle', {
      accountId,
      priceId,
      returnUrl: body.checkout?.url ?? '',
      customerId: body.customer_id ?? undefined,
    });
    return ok(transactionJson(sale, origin));
  }
  if (path === '/transactions' && method === 'GET') {
    const states = query.get('status')?.split(',') ?? [];
    const own = invoicesOf(shop, query.get('customer_id')).map(invoiceJson);
    const shown = own.filter(({ status }) => states.length === 0 || states.includes(status));
    const perPage = Number(query.get('per_page') ?? 30);
    return listed(shown.slice(0, perPage), shown.length > perPage);
  }
  const [, saleId] = /^\/transactions\/([^/]+)$/.exec(path) ?? [];
  if (saleId !== undefined) {
    const sale = shop.sales.get(saleId);
    if (!sale) return refused(404, 'entity_not_found');
    if (method === 'PATCH') {
      if (sale.status !== 'open') return refused(400, 'transaction_immutable');
      // Until somebody begins to pay it is a draft, and drafts cannot be canceled.
      if (body.status === 'canceled') return refused(400, 'transaction_invalid_status_change');
      sale.priceId = body.items?.[0]?.price_id ?? sale.priceId;
    }
    return ok(transactionJson(sale, origin));
  }
  if (path === '/subscriptions' && method === 'GET') {
    const customer = query.get('customer_id');
    const own = [...shop.subscriptions.values()].filter(({ customerId }) => customerId === customer);
    const told = request.told.filter((each) => each.customer_id === customer);
    return listed([...own.map(subscriptionJson), ...told]);
  }
  const [, subscriptionId, cancel] = /^\/subscriptions\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
  const told = request.told.find(({ id }) => id === subscriptionId);
  if (told && method === 'GET') return ok(told);
  const subscription = shop.subscriptions.get(subscriptionId ?? '');
  if (subscriptionId !== undefined && !subscription) return refused(404, 'entity_not_found');
  if (subscription) {
    if (cancel === undefined) return ok(subscriptionJson(subscription));
    if (subscription.status === 'canceled') return refused(400, 'subscription_is_canceled_action_invalid');
    subscription.status = 'canceled';
    return { ...ok(subscriptionJson(subscription)), canceled: subscription };
  }
  return refused(404, 'not_found');
}

function customerJson({ id, accountId, email }: Customer): object {
  return {
    id,
    name: null,
    email: email ?? null,
    marketing_consent: false,
    status: 'active',
    custom_data: accountId === undefined ? null : { accountId },
    locale: 'en',
    created_at: iso(Date.now()),
    updated_at: iso(Date.now()),
  };
}

function priceJson(id: string): object {
  return {
    id,
    product_id: 'pro_gatehouse',
    description: 'Simulated',
    unit_price: { amount: '4900', currency_code: 'EUR' },
    quantity: { minimum: 1, maximum: 100 },
  };
}

function transactionJson(sale: Sale, origin: string, status = paddleStatus(sale)): object {
  const { id, accountId, customerId, subscriptionId, priceId } = sale;
  return {
    id,
    status,
    customer_id: customerId ?? null,
    custom_data: accountId === undefined ? null : { accountId },
    currency_code: 'EUR',
    origin: 'api',
    subscription_id: subscriptionId ?? null,
    collection_mode: 'automatic',
    items: [{ price: priceJson(priceId), quantity: 1 }],
    payments: [],
    checkout: { url: `${origin}/paddle/checkout?_ptxn=${id}` },
    created_at: iso(Date.now()),
    updated_at: iso(Date.now()),
  };
}

/** A billed transaction, as the list has it. */
function invoiceJson({ id, customerId, subscriptionId, number, cents, issuedAtMs, status }: Invoice) {
  const amount = String(cents);
  const totals = {
    subtotal: amount,
    discount: '0',
    tax: '0',
    total: amount,
    credit: '0',
    balance: status === 'paid' ? '0' : amount,
    grand_total: amount,
    fee: null,
    earnings: null,
    currency_code: 'EUR',
  };
  return {
    id,
    status: status === 'paid' ? 'completed' : 'past_due',
    customer_id: customerId,
    subscription_id: subscriptionId ?? null,
    invoice_id: id.replace('txn_', 'inv_'),
    invoice_number: number,
    currency_code: 'EUR',
    origin: 'subscription_recurring',
    collection_mode: 'automatic',
    custom_data: null,
    items: [],
    details: { tax_rates_used: [], totals, line_items: [] },
    payments: [],
    checkout: null,
    created_at: iso(issuedAtMs),
    updated_at: iso(issuedAtMs),
    billed_at: iso(issuedAtMs),
  };
}

function paddleStatus({ status }: Sale): string {
  return { open: 'draft', paid: 'completed', ended: 'canceled' }[status];
}

function subscriptionJson(subscription: Subscription): object {
  const { id, status, customerId, accountId, priceId, startedAtMs, periodEndsAtMs } = subscription;
  const isOver = status === 'canceled';
  return {
    id,
    status,
    customer_id: customerId,
    address_id: 'add_simulated',
    currency_code: 'EUR',
    created_at: iso(startedAtMs),
    updated_at: iso(Date.now()),
    started_at: iso(startedAtMs),
    collection_mode: 'automatic',
    billing_cycle: { interval: 'month', frequency: 1 },
    current_billing_period: isOver ? null : { starts_at: iso(startedAtMs), ends_at: iso(periodEndsAtMs) },
    scheduled_change: subscription.cancelsAtPeriodEnd
      ? { action: 'cancel', effective_at: iso(periodEndsAtMs), resume_at: null }
      : null,
    management_urls: null,
    items: [
      {
        status: 'active',
        quantity: 1,
        recurring: true,
        created_at: iso(startedAtMs),
        updated_at: iso(Date.now()),
        price: priceJson(priceId),
        product: { id: 'pro_gatehouse', name: 'Simulated', tax_category: 'saas' },
      },
    ],
    custom_data: accountId === undefined ? null : { accountId },
  };
}

/** The latest change, as the event Paddle would send. */
export type PaddleHappening =
  | { readonly type: `subscription.${string}`; readonly subscription: Subscription }
  | {
      readonly type: `transaction.${string}`;
      readonly subscription: Subscription;
      readonly invoice: Invoice;
      readonly origin: string;
    };

export function paddleEvent(happening: PaddleHappening): object {
  const { type, subscription } = happening;
  const data =
    'origin' in happening
      ? {
          id: happening.invoice.id,
          status: type.slice('transaction.'.length),
          customer_id: subscription.customerId,
          subscription_id: subscription.id,
          origin: happening.origin,
          custom_data: subscription.accountId === undefined ? null : { accountId: subscription.accountId },
        }
      : subscriptionJson(subscription);
  return {
    event_id: newId('evt'),
    event_type: type,
    occurred_at: iso(Date.now()),
    notification_id: newId('ntf'),
    data,
  };
}
