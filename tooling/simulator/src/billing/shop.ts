import { randomBytes, randomInt } from 'node:crypto';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { SimulatedProvider } from './send-life.js';
import { MONTH_MS } from './send-life.js';

/** The state of a subscription at the simulated providers. */
type SubscriptionStatus = 'active' | 'past_due' | 'canceled';

export interface Customer {
  readonly id: string;
  readonly provider: SimulatedProvider;
  readonly accountId: string | undefined;
  readonly email: string | undefined;
}

/** A Stripe checkout session, or a Paddle transaction. */
export interface Sale {
  readonly id: string;
  readonly provider: SimulatedProvider;
  readonly accountId: string | undefined;
  readonly returnUrl: string;
  readonly expiresAtMs: number;
  priceId: string;
  customerId: string | undefined;
  subscriptionId: string | undefined;
  status: 'open' | 'paid' | 'ended';
}

export interface Subscription {
  readonly id: string;
  readonly provider: SimulatedProvider;
  readonly customerId: string;
  readonly accountId: string | undefined;
  priceId: string;
  readonly startedAtMs: number;
  readonly periodEndsAtMs: number;
  status: SubscriptionStatus;
  cancelsAtPeriodEnd: boolean;
}

/** An invoice of Stripe, or a billed transaction of Paddle. */
export interface Invoice {
  readonly id: string;
  readonly provider: SimulatedProvider;
  readonly customerId: string;
  readonly subscriptionId: string | undefined;
  readonly number: string;
  readonly cents: number;
  readonly issuedAtMs: number;
  status: 'paid' | 'open';
}

/** The sales of the two simulated providers. */
export interface Shop {
  readonly customers: Map<string, Customer>;
  readonly sales: Map<string, Sale>;
  readonly subscriptions: Map<string, Subscription>;
  /** In the order in which they were issued. */
  readonly invoices: Map<string, Invoice>;
  /** The ids of what existed and no longer does. */
  readonly forgotten: Set<string>;
}

export function createShop(): Shop {
  return {
    customers: new Map(),
    sales: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    forgotten: new Set(),
  };
}

/** Makes the provider forget a customer, sale or subscription. */
export function forget(shop: Shop, id: string): void {
  shop.forgotten.add(id);
  for (const kept of [shop.customers, shop.sales, shop.subscriptions, shop.invoices]) kept.delete(id);
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

const DAY_MS = 86_400_000;

export function addCustomer(
  shop: Shop,
  provider: SimulatedProvider,
  customer: Pick<Customer, 'accountId' | 'email'>,
): Customer {
  const id = newId(provider === 'stripe' ? 'cus' : 'ctm');
  const { accountId, email } = customer;
  const added = { id, provider, accountId, email };
  shop.customers.set(id, added);
  return added;
}

export function addSale(
  shop: Shop,
  provider: SimulatedProvider,
  sale: Pick<Sale, 'accountId' | 'returnUrl' | 'priceId' | 'customerId'>,
): Sale {
  const id = newId(provider === 'stripe' ? 'cs_test' : 'txn');
  const { accountId, returnUrl, priceId, customerId } = sale;
  const added: Sale = {
    id,
    provider,
    accountId,
    returnUrl,
    priceId,
    customerId,
    expiresAtMs: Date.now() + DAY_MS,
    subscriptionId: undefined,
    status: 'open',
  };
  shop.sales.set(id, added);
  return added;
}

/** A payment: the sale becomes a subscription of its customer, who is created if missing. */
export function paySale(shop: Shop, sale: Sale, email: string): Subscription {
  const { provider, accountId, priceId } = sale;
  sale.customerId ??= addCustomer(shop, provider, { accountId: undefined, email }).id;
  const startedAtMs = Date.now();
  const subscription: Subscription = {
    id: newId('sub'),
    provider,
    customerId: sale.customerId,
    accountId,
    priceId,
    startedAtMs,
    periodEndsAtMs: startedAtMs + MONTH_MS,
    status: 'active',
    cancelsAtPeriodEnd: false,
  };
  shop.subscriptions.set(subscription.id, subscription);
  sale.subscriptionId = subscription.id;
  sale.status = 'paid';
  return subscription;
}

const STYLE = `
body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;background:#eef1f5;color:#1c1c1a}
main{max-width:26rem;margin:0 auto;padding:2rem;background:#fff;border-radius:.75rem;border:1px solid #d5d9e0}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;box-sizing:border-box;padding:.5rem;font:inherit}
button{margin:1rem .75rem 0 0;padding:.6rem 1.25rem;font:inherit;font-weight:600}
.hint{font-size:.9rem;color:#55554f}
`;

export const NAMES = { stripe: 'Stripe', paddle: 'Paddle' } as const;

export function page(title: string, body: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1>`,
    ...body,
    '<p class="hint">No money changes hands: nothing leaves this machine.</p>',
    '</main></body></html>',
  ].join('\n');
}

/** The page where somebody pays or cancels. */
export function checkoutPage(sale: Sale): string {
  const title = `${NAMES[sale.provider]} checkout, simulated`;
  if (sale.status !== 'open') return page(title, ['<p>This checkout is over.</p>']);
  return page(title, [
    `<p>Account ${escapeHtml(sale.accountId ?? 'unknown')} buys <code>${escapeHtml(sale.priceId)}</code>.</p>`,
    '<form method="post">',
    '<label for="email">E-mail address of the payer</label>',
    '<input id="email" name="email" value="payer@example.test">',
    '<button name="action" value="pay">Pay</button>',
    '<button name="action" value="leave">Leave</button>',
    '</form>',
  ]);
}

/** The parts of the page where customers manage their subscription: all of it, or one that they were led to. */
export type PortalPart = 'overview' | 'change' | 'cancel';

/** The page where customers manage their subscription. */
export function portalPage(
  provider: Subscription['provider'],
  subscriptions: readonly Subscription[],
  { part, prices }: { readonly part: PortalPart; readonly prices: readonly string[] },
): string {
  return page(`${NAMES[provider]} customer portal, simulated`, [
    subscriptions.length === 0 ? '<p>Nothing is paid for.</p>' : '',
    ...subscriptions.map((subscription) =>
      [
        `<h2>${escapeHtml(subscription.priceId)}</h2>`,
        `<p>${subscription.status}${subscription.cancelsAtPeriodEnd ? ', ends with the period' : ''}</p>`,
        '<form method="post">',
        `<input type="hidden" name="subscription" value="${escapeHtml(subscription.id)}">`,
        ...portalButtons(subscription, part, prices),
        '</form>',
      ].join('\n'),
    ),
    '<form method="post"><button name="action" value="leave">Back</button></form>',
  ]);
}

function portalButtons(
  { priceId, cancelsAtPeriodEnd }: Subscription,
  part: PortalPart,
  prices: readonly string[],
): string[] {
  const others = prices.filter((price) => price !== priceId);
  const changes = others.map((price) => `<button name="price" value="${price}">Change to ${price}</button>`);
  const cancels = [
    cancelsAtPeriodEnd
      ? '<button name="action" value="resume">Resume</button>'
      : '<button name="action" value="cancelLater">Cancel at the end of the period</button>',
    '<button name="action" value="cancel">Cancel now</button>',
  ];
  if (part === 'change') return changes;
  if (part === 'cancel') return cancels;
  const payments = [
    '<button name="action" value="renew">Renew for a month</button>',
    '<button name="action" value="miss">Let a payment fail</button>',
    '<button name="action" value="settle">Pay what is due</button>',
  ];
  return [...payments, ...changes, ...cancels];
}

/** The same items in a random order, each order equally likely. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(randomInt(left.length), 1));
}
