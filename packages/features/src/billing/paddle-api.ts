import { ApiError, type Paddle, type Transaction } from '@paddle/paddle-node-sdk';
import { claimsOfSubscription } from '../core/billing/billing-event.js';
import type { PaidCheckout, PaymentApi, ProviderCheckout } from '../core/billing/payment-api.js';
import { accountIdInData } from './provider-fields.js';
import { readPaddleInvoices } from './read-invoices.js';
import { readPaddleSubscription } from './read-paddle-event.js';

/** Paddle's transactions do not expire; we check them again after this time. */
const CHECKOUT_LIFE_MS = 86_400_000;

/** A transaction that can still be changed and has not been paid. */
const OPEN: ReadonlySet<string> = new Set(['draft', 'ready']);

/** The parts of Paddle's API that we use. */
export function createPaddleApi(paddle: Paddle): PaymentApi {
  return {
    async createCustomer({ accountId, email }) {
      if (email === undefined) return undefined;
      try {
        const customer = await paddle.customers.create({ email, customData: { accountId } });
        return idOf(customer);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'customer_already_exists') throw error;
        return findOwnCustomer(paddle, email, accountId);
      }
    },
    async openCheckout({ accountId, customerId, priceId, returnUrl, previous, nowMs }) {
      const items = [{ priceId, quantity: 1 }];
      const known = previous && (await paddle.transactions.get(previous.checkoutId).catch(undefinedIfGone));
      if (known && isPaid(known)) return paid(known);
      if (known && OPEN.has(known.status)) {
        // A transaction nobody began to pay cannot be canceled, but its price can change.
        const isSame = previous.priceId === priceId;
        return opened(isSame ? known : await paddle.transactions.update(known.id, { items }), nowMs);
      }
      const transaction = await paddle.transactions.create({
        items,
        customData: { accountId },
        collectionMode: 'automatic',
        checkout: { url: returnUrl },
        ...(customerId === undefined ? {} : { customerId }),
      });
      return opened(transaction, nowMs);
    },
    async endCheckout(checkoutId) {
      const transaction = await paddle.transactions.get(checkoutId).catch(undefinedIfGone);
      if (transaction === undefined) return 'ended';
      if (isPaid(transaction)) return paid(transaction);
      if (transaction.status === 'ready')
        await paddle.transactions.update(checkoutId, { status: 'canceled' });
      return 'ended';
    },
    async cancelSubscription(subscriptionId) {
      const known = await paddle.subscriptions.get(subscriptionId).catch(undefinedIfGone);
      if (known !== undefined && known.status !== 'canceled')
        await paddle.subscriptions.cancel(subscriptionId, { effectiveFrom: 'immediately' });
    },
    async findSubscription(subscriptionId) {
      const known = await paddle.subscriptions.get(subscriptionId).catch(undefinedIfGone);
      return known && claimsOfSubscription(readPaddleSubscription(known));
    },
    async hasCustomer(customerId) {
      return (await paddle.customers.get(customerId).catch(undefinedIfGone)) !== undefined;
    },
    async openPortal({ customerId, change }) {
      const session = await paddle.customerPortalSessions.create(
        customerId,
        change ? [change.subscriptionId] : [],
      );
      const { general, subscriptions } = session.urls;
      // Paddle has no page for another plan.
      const cancel = change?.kind === 'cancel' ? subscriptions[0]?.cancelSubscription : undefined;
      return pageOf(cancel ?? general.overview);
    },
    async listInvoices({ customerId, limit }) {
      const transactions = paddle.transactions.list({
        customerId: [customerId],
        // Those that were canceled before anything was billed may come first, and fill the page.
        status: ['billed', 'paid', 'completed', 'past_due'],
        orderBy: 'billed_at[DESC]',
        perPage: limit,
      });
      const page = await transactions.next();
      return { invoices: readPaddleInvoices(page), hasOlder: transactions.hasMore };
    },
  };
}

/** Only Paddle's own answer says that something does not exist; a 404 of a gateway is a failure. */
function undefinedIfGone(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'entity_not_found') return undefined;
  throw error;
}

/** At Paddle each address belongs to one customer. The account does not get another account's customer. */
async function findOwnCustomer(
  paddle: Paddle,
  email: string,
  accountId: number,
): Promise<string | undefined> {
  const [known] = await paddle.customers.list({ email: [email] }).next();
  return known && accountIdInData.parse(known.customData) === accountId ? known.id : undefined;
}

function isPaid({ status }: Transaction): boolean {
  return status === 'paid' || status === 'completed' || status === 'billed' || status === 'past_due';
}

function paid({ subscriptionId }: Transaction): PaidCheckout {
  return { paidFor: { subscriptionId } };
}

function opened(transaction: Transaction, nowMs: number): ProviderCheckout {
  return {
    checkoutId: idOf(transaction),
    url: pageOf(transaction.checkout?.url),
    expiresAtMs: nowMs + CHECKOUT_LIFE_MS,
  };
}

function idOf({ id }: { readonly id: unknown }): string {
  if (typeof id !== 'string') throw new TypeError('something without an id');
  return id;
}

function pageOf(url: unknown): string {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw new TypeError('something without a page');
  return url;
}
