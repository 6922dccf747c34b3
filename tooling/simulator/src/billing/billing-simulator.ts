import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Misbehaviour, misbehave } from '../misbehaviour.js';
import { addInvoice, invoicePage, invoicePdf, keepInvoice, payDue } from './invoices.js';
import { answerAsPaddle, PADDLE_KEY, type PaddleHappening, paddleEvent } from './paddle-shop.js';
import { PLANS } from './plans.js';
import { type SimulatedProvider, signDelivery } from './send-life.js';
import {
  checkoutPage,
  createShop,
  forget,
  type Invoice,
  type PortalPart,
  paySale,
  portalPage,
  type Sale,
  type Subscription,
} from './shop.js';
import {
  answerAsStripe,
  createIdempotency,
  STRIPE_KEY,
  type StripeHappening,
  sendJson,
  stripeEvent,
} from './stripe-shop.js';

/** The destination and signing key of a provider's events. */
export interface EventReceiver {
  readonly url: string;
  readonly secret: string;
}

export interface BillingSimulator {
  /** Answers requests for the two providers; false for others. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
  /** Sets where events are delivered from now on. */
  deliverTo(receivers: Partial<Record<SimulatedProvider, EventReceiver>>): void;
  /**
   * Sets how a provider's API fails from now on; null for not at all.
   * @param options with `done`, the API does the work before it fails
   */
  misbehave(provider: SimulatedProvider, how: Misbehaviour | null, options?: { done?: boolean }): void;
  /** The requests made to a provider's API, such as `POST /customers`. */
  asked(provider: SimulatedProvider): readonly string[];
  /** The checkouts that can still be paid. */
  openCheckouts(provider: SimulatedProvider): readonly Readonly<Sale>[];
  customers(provider: SimulatedProvider): readonly { readonly id: string }[];
  /** Ends a subscription without an event. */
  end(subscriptionId: string): void;
  /** Makes the providers forget a customer, checkout or subscription. */
  forget(id: string): void;
  /** Sets what an API answers about a subscription from now on, as the provider shows it. */
  show(provider: SimulatedProvider, subscription: object): void;
}

/** A subscription as in an event. */
const reportedSubscription = z.looseObject({
  id: z.string().startsWith('sub_'),
  customer: z.string().optional(),
  customer_id: z.string().optional(),
  status: z.string(),
  items: z.unknown(),
});
type ReportedSubscription = z.output<typeof reportedSubscription>;
const reportedEvent = z.object({
  provider: z.enum(['stripe', 'paddle']),
  event: z.looseObject({ data: z.looseObject({ object: z.unknown().optional() }).optional() }),
});

const PORTAL_ACTIONS = ['renew', 'miss', 'settle', 'cancelLater', 'resume', 'cancel'] as const;
type PortalAction = (typeof PORTAL_ACTIONS)[number];

const STATUS_AFTER = { renew: 'active', miss: 'past_due', settle: 'active', cancel: 'canceled' } as const;

const PORTAL_PARTS: readonly PortalPart[] = ['overview', 'change', 'cancel'];

/** The environment that makes a deployment use the simulator for both payment providers. */
export function billingEnvironment(simulatorUrl: string): Record<string, string> {
  return {
    STRIPE_API_KEY: STRIPE_KEY,
    STRIPE_API_URL: simulatorUrl,
    PADDLE_API_KEY: PADDLE_KEY,
    PADDLE_API_URL: `${simulatorUrl}/paddle/api`,
    BILLING_PLANS: JSON.stringify(PLANS),
  };
}

/** Plays Stripe and Paddle: their APIs, their pages, and the events they send. */
export function createBillingSimulator(): BillingSimulator {
  const shop = createShop();
  const once = createIdempotency();
  const requests: Record<SimulatedProvider, string[]> = { stripe: [], paddle: [] };
  const conducts = new Map<SimulatedProvider, { how: Misbehaviour; done: boolean }>();
  let toldAtSeconds = 0;
  let receivers: Partial<Record<SimulatedProvider, EventReceiver>> = {};

  /** Subscriptions from generated events, for the lists of the APIs. */
  const told = new Map<string, { provider: SimulatedProvider; subscription: ReportedSubscription }>();

  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { provider, event } = reportedEvent.parse(JSON.parse(await textOf(request)));
    const subscription = reportedSubscription.safeParse(event.data?.object ?? event.data).data;
    if (subscription) told.set(subscription.id, { provider, subscription });
    keepInvoice(shop, provider, event);
    sendJson(response, { status: 200, json: {} });
  }

  async function api(
    provider: SimulatedProvider,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const body = await textOf(request);
    const method = request.method ?? 'GET';
    requests[provider].push(`${method} ${path}`);
    const conduct = conducts.get(provider);
    if (conduct && !conduct.done && !(await misbehave(conduct.how, response))) return;
    const isKnown =
      request.headers.authorization?.toLowerCase() === `bearer ${keyOf(provider)}`.toLowerCase();
    if (!isKnown) {
      sendJson(response, { status: 401, json: { error: { code: 'forbidden', message: 'No such key' } } });
      return;
    }
    const list = [...told.values()].flatMap((each) =>
      each.provider === provider && !shop.forgotten.has(each.subscription.id) ? [each.subscription] : [],
    );
    const asked = { told: list, method, path, query: url.searchParams, body, origin: originOf(request) };
    const key = request.headers['idempotency-key'];
    const answer =
      provider === 'stripe'
        ? once(method === 'POST' ? headerText(key) : undefined, `${path} ${body}`, () =>
            answerAsStripe(shop, asked),
          )
        : answerAsPaddle(shop, asked);
    if (answer.canceled) await tellOfEnd(answer.canceled, asked.origin);
    if (conduct?.done && !(await misbehave(conduct.how, response))) return;
    sendJson(response, answer);
  }

  async function checkout(sale: Sale, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return sendHtml(response, checkoutPage(sale));
    const fields = new URLSearchParams(await textOf(request));
    if (fields.get('action') === 'pay') {
      if (sale.status !== 'open') return sendHtml(response, checkoutPage(sale));
      const subscription = paySale(shop, sale, fields.get('email') ?? 'payer@example.test');
      // At Paddle the sale is the transaction.
      const id = sale.provider === 'paddle' ? sale.id : undefined;
      addInvoice(shop, subscription, { id, status: 'paid' });
      await tellOfPayment(sale, subscription, originOf(request));
    }
    redirect(response, sale.returnUrl);
  }

  async function portal(
    customerId: string,
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const provider = shop.customers.get(customerId)?.provider ?? 'stripe';
    const own = [...shop.subscriptions.values()].filter((each) => each.customerId === customerId);
    const shown = {
      part: PORTAL_PARTS.find((each) => each === url.searchParams.get('part')) ?? 'overview',
      prices: PLANS.filter((plan) => plan.provider === provider).map(({ priceId }) => priceId),
    };
    if (request.method !== 'POST') return sendHtml(response, portalPage(provider, own, shown));
    const fields = new URLSearchParams(await textOf(request));
    const subscription = own.find(({ id }) => id === fields.get('subscription'));
    const action = PORTAL_ACTIONS.find((each) => each === fields.get('action'));
    const price = shown.prices.find((each) => each === fields.get('price'));
    const isLive = subscription !== undefined && subscription.status !== 'canceled';
    if (isLive && action) await act(subscription, action, originOf(request));
    if (isLive && price !== undefined) {
      subscription.priceId = price;
      await tellOfChange(subscription, originOf(request));
    }
    const back = url.searchParams.get('back');
    const hasDone = action !== undefined || price !== undefined;
    if (back !== null && (!hasDone || shown.part !== 'overview')) return redirect(response, back);
    return sendHtml(response, portalPage(provider, own, shown));
  }

  async function tellOfPayment(sale: Sale, subscription: Subscription, origin: string): Promise<void> {
    const invoice = payDue(shop, subscription);
    if (sale.provider === 'paddle') {
      await tellPaddle({ type: 'subscription.created', subscription });
      await tellPaddle({ type: 'transaction.completed', subscription, invoice, origin: 'api' });
      return;
    }
    await tellStripe({ type: 'customer.subscription.created', subscription }, origin);
    await tellStripe({ type: 'invoice.paid', subscription, invoice }, origin);
    await tellStripe({ type: 'checkout.session.completed', sale }, origin);
  }

  const tellOfChange = (subscription: Subscription, origin: string) =>
    subscription.provider === 'paddle'
      ? tellPaddle({ type: 'subscription.updated', subscription })
      : tellStripe({ type: 'customer.subscription.updated', subscription }, origin);

  const tellOfEnd = (subscription: Subscription, origin: string) =>
    subscription.provider === 'paddle'
      ? tellPaddle({ type: 'subscription.canceled', subscription })
      : tellStripe({ type: 'customer.subscription.deleted', subscription }, origin);

  async function act(subscription: Subscription, action: PortalAction, origin: string): Promise<void> {
    if (action === 'cancelLater' || action === 'resume')
      subscription.cancelsAtPeriodEnd = action === 'cancelLater';
    else subscription.status = STATUS_AFTER[action];
    const invoice = invoiceOf(subscription, action);
    if (subscription.provider === 'paddle') {
      if (invoice) {
        const type = action === 'miss' ? 'transaction.payment_failed' : 'transaction.completed';
        await tellPaddle({ type, subscription, invoice, origin: 'subscription_recurring' });
      }
      const kind = action === 'miss' ? 'past_due' : action === 'cancel' ? 'canceled' : 'updated';
      await tellPaddle({ type: `subscription.${kind}`, subscription });
      return;
    }
    if (invoice) {
      const type = action === 'miss' ? 'invoice.payment_failed' : 'invoice.paid';
      await tellStripe({ type, subscription, invoice }, origin);
    }
    const kind = action === 'cancel' ? 'deleted' : 'updated';
    await tellStripe({ type: `customer.subscription.${kind}`, subscription }, origin);
  }

  /** The invoice that an action is about: a new one, or the one that was due. */
  function invoiceOf(subscription: Subscription, action: PortalAction): Invoice | undefined {
    if (action === 'settle') return payDue(shop, subscription);
    if (action === 'renew') return addInvoice(shop, subscription, { status: 'paid' });
    return action === 'miss' ? addInvoice(shop, subscription, { status: 'open' }) : undefined;
  }

  const tellStripe = (happening: StripeHappening, origin: string) => {
    toldAtSeconds = Math.max(toldAtSeconds + 1, Math.floor(Date.now() / 1000));
    return deliver('stripe', stripeEvent(happening, { origin, atSeconds: toldAtSeconds }));
  };
  const tellPaddle = (happening: PaddleHappening) => deliver('paddle', paddleEvent(happening));

  async function deliver(provider: SimulatedProvider, event: object): Promise<void> {
    const receiver = receivers[provider];
    if (!receiver) return;
    const { headers, body } = signDelivery(provider, {
      body: JSON.stringify(event),
      secret: receiver.secret,
      nowMs: Date.now(),
    });
    const answer = await fetch(receiver.url, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${provider}'s event was answered ${answer.status}`);
  }

  return {
    async answer(request, response, url) {
      const { pathname, searchParams } = url;
      if (pathname === '/control/billing' && request.method === 'POST') {
        await hear(request, response);
        return true;
      }
      if (pathname.startsWith('/v1/')) {
        await api('stripe', pathname.slice('/v1'.length), request, response, url);
        return true;
      }
      if (pathname.startsWith('/paddle/api/')) {
        await api('paddle', pathname.slice('/paddle/api'.length), request, response, url);
        return true;
      }
      const saleId = /^\/stripe\/checkout\/([^/]+)$/.exec(pathname)?.[1] ?? searchParams.get('_ptxn');
      const sale = shop.sales.get(saleId ?? '');
      const customerId = /^\/(?:stripe|paddle)\/portal\/([^/]+)$/.exec(pathname)?.[1];
      const [, invoiceId, pdf] = /^\/stripe\/invoice\/([^/]+)(\/pdf)?$/.exec(pathname) ?? [];
      const invoice = shop.invoices.get(invoiceId ?? '');
      if (sale) await checkout(sale, request, response);
      else if (invoice && pdf !== undefined) sendPdf(response, invoicePdf(invoice));
      else if (invoice) sendHtml(response, invoicePage(invoice));
      else if (customerId !== undefined && shop.customers.has(customerId))
        await portal(customerId, request, response, url);
      else return false;
      return true;
    },
    deliverTo(given) {
      receivers = given;
    },
    misbehave(provider, how, { done = false } = {}) {
      if (how === null) conducts.delete(provider);
      else conducts.set(provider, { how, done });
    },
    asked: (provider) => requests[provider],
    openCheckouts: (provider) =>
      [...shop.sales.values()].filter((sale) => sale.provider === provider && sale.status === 'open'),
    customers: (provider) => [...shop.customers.values()].filter((each) => each.provider === provider),
    end(subscriptionId) {
      const subscription = shop.subscriptions.get(subscriptionId);
      if (subscription) subscription.status = 'canceled';
    },
    forget: (id) => forget(shop, id),
    show(provider, given) {
      const subscription = reportedSubscription.parse(given);
      told.set(subscription.id, { provider, subscription });
    },
  };
}

function keyOf(provider: SimulatedProvider): string {
  return { stripe: STRIPE_KEY, paddle: PADDLE_KEY }[provider];
}

/** The simulator's address in the request; its pages are there. */
function originOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? '127.0.0.1'}`;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function sendHtml(response: ServerResponse, html: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(html);
}

function sendPdf(response: ServerResponse, pdf: string): void {
  response.writeHead(200, { 'content-type': 'application/pdf' });
  response.end(pdf);
}

function redirect(response: ServerResponse, url: string): void {
  response.writeHead(303, { location: url });
  response.end();
}
