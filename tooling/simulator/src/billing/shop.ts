import { randomBytes } from 'node:crypto';
import { MONTH_MS } from './life.js';
import type { SimulatedProvider } from './sign-delivery.js';

/** The state of a subscription at the simulated providers. */
export type SubscriptionStatus = 'active' | 'past_due' | 'canceled';

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
  readonly priceId: string;
  readonly startedAtMs: number;
  readonly periodEndsAtMs: number;
  status: SubscriptionStatus;
  cancelsAtPeriodEnd: boolean;
}

/** The sales of the two simulated providers. */
export interface Shop {
  readonly customers: Map<string, Customer>;
  readonly sales: Map<string, Sale>;
  readonly subscriptions: Map<string, Subscription>;
  /** The ids of what existed and does no longer. */
  readonly forgotten: Set<string>;
}

export function createShop(): Shop {
  return { customers: new Map(), sales: new Map(), subscriptions: new Map(), forgotten: new Set() };
}

/** Makes the provider forget a customer, sale or subscription. */
export function forget(shop: Shop, id: string): void {
  shop.forgotten.add(id);
  for (const kept of [shop.customers, shop.sales, shop.subscriptions]) kept.delete(id);
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
