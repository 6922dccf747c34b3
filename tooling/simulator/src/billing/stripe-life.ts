import { DAY_MS, HOUR_MS, type LifeOptions, type LifeStep, MONTH_MS, type Status } from './send-life.js';

const API_VERSION = '2026-10-28.endive';
const PRICE = 'price_gatehouse_team';

interface SubscriptionChange {
  readonly status: string;
  readonly period: number;
  readonly cancelAtPeriodEnd?: boolean;
  readonly endedAtMs?: number;
}

/**
 * The twenty events of a Stripe subscription: bought, renewed, failing, paid again, failing for longer, paused,
 * resumed, and canceled at the end of its period. Payloads follow API version 2026-10-28.
 */
export function stripeLife({ accountId, startMs, key }: LifeOptions): LifeStep[] {
  const customer = `cus_${key}`;
  const subscription = `sub_${key}`;
  const steps: LifeStep[] = [];

  const tell = (atMs: number, type: string, standing: Status, object: object) => {
    const id = `evt_${key}${String(steps.length).padStart(2, '0')}`;
    const event = {
      id,
      object: 'event',
      api_version: API_VERSION,
      created: seconds(atMs),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    steps.push({ event, id, type, standing });
  };

  const subscribed = (atMs: number, kind: string, standing: Status, change: SubscriptionChange) => {
    const periodStartMs = startMs + change.period * MONTH_MS;
    tell(atMs, `customer.subscription.${kind}`, standing, {
      id: subscription,
      object: 'subscription',
      cancel_at: change.cancelAtPeriodEnd ? seconds(periodStartMs + MONTH_MS) : null,
      cancel_at_period_end: change.cancelAtPeriodEnd ?? false,
      canceled_at: change.cancelAtPeriodEnd ? seconds(atMs) : null,
      collection_method: 'charge_automatically',
      created: seconds(startMs),
      currency: 'eur',
      customer,
      ended_at: change.endedAtMs === undefined ? null : seconds(change.endedAtMs),
      items: {
        object: 'list',
        data: [
          {
            id: `si_${key}`,
            object: 'subscription_item',
            current_period_start: seconds(periodStartMs),
            current_period_end: seconds(periodStartMs + MONTH_MS),
            price: {
              id: PRICE,
              object: 'price',
              currency: 'eur',
              unit_amount: 4900,
              recurring: { interval: 'month' },
            },
            quantity: 1,
            subscription,
          },
        ],
        has_more: false,
      },
      latest_invoice: `in_${key}${change.period}`,
      livemode: false,
      metadata: { accountId: String(accountId) },
      start_date: seconds(startMs),
      status: change.status,
      trial_end: null,
      trial_start: null,
    });
  };

  const invoiced = (atMs: number, outcome: 'paid' | 'payment_failed', standing: Status, period: number) =>
    tell(atMs, `invoice.${outcome}`, standing, {
      id: `in_${key}${period}`,
      object: 'invoice',
      amount_due: 4900,
      amount_paid: outcome === 'paid' ? 4900 : 0,
      billing_reason: period === 0 ? 'subscription_create' : 'subscription_cycle',
      currency: 'eur',
      customer,
      customer_email: `billing-${key}@example.test`,
      livemode: false,
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription, metadata: { accountId: String(accountId) } },
      },
      status: outcome === 'paid' ? 'paid' : 'open',
    });

  const renewalMs = (period: number) => startMs + period * MONTH_MS + HOUR_MS;

  tell(startMs, 'customer.created', 'trialing', {
    id: customer,
    object: 'customer',
    email: `billing-${key}@example.test`,
    name: `Customer ${key}`,
    livemode: false,
    metadata: {},
  });
  subscribed(startMs + 2_000, 'created', 'trialing', { status: 'incomplete', period: 0 });
  invoiced(startMs + 4_000, 'paid', 'active', 0);
  subscribed(startMs + 5_000, 'updated', 'active', { status: 'active', period: 0 });
  tell(startMs + 6_000, 'checkout.session.completed', 'active', {
    id: `cs_test_${key}`,
    object: 'checkout.session',
    client_reference_id: String(accountId),
    customer,
    customer_details: { email: `billing-${key}@example.test`, name: `Customer ${key}` },
    livemode: false,
    metadata: {},
    mode: 'subscription',
    payment_status: 'paid',
    status: 'complete',
    subscription,
  });
  subscribed(renewalMs(1), 'updated', 'active', { status: 'active', period: 1 });
  invoiced(renewalMs(1) + HOUR_MS, 'paid', 'active', 1);
  subscribed(renewalMs(2), 'updated', 'active', { status: 'active', period: 2 });
  invoiced(renewalMs(2) + HOUR_MS, 'payment_failed', 'past_due', 2);
  subscribed(renewalMs(2) + HOUR_MS + 1_000, 'updated', 'past_due', { status: 'past_due', period: 2 });
  invoiced(renewalMs(2) + 3 * DAY_MS, 'payment_failed', 'past_due', 2);
  invoiced(renewalMs(2) + 4 * DAY_MS, 'paid', 'active', 2);
  subscribed(renewalMs(2) + 4 * DAY_MS + 1_000, 'updated', 'active', { status: 'active', period: 2 });
  subscribed(renewalMs(3), 'updated', 'past_due', { status: 'unpaid', period: 3 });
  subscribed(renewalMs(3) + DAY_MS, 'paused', 'paused', { status: 'paused', period: 3 });
  subscribed(renewalMs(3) + 2 * DAY_MS, 'resumed', 'active', { status: 'active', period: 3 });
  invoiced(renewalMs(3) + 2 * DAY_MS + 1_000, 'paid', 'active', 3);
  subscribed(renewalMs(3) + 5 * DAY_MS, 'updated', 'active', {
    status: 'active',
    period: 3,
    cancelAtPeriodEnd: true,
  });
  subscribed(renewalMs(4), 'deleted', 'canceled', {
    status: 'canceled',
    period: 3,
    cancelAtPeriodEnd: true,
    endedAtMs: renewalMs(4),
  });
  invoiced(renewalMs(4) + DAY_MS, 'paid', 'canceled', 4);
  return steps;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
