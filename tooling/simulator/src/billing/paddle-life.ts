import { DAY_MS, HOUR_MS, type LifeOptions, type LifeStep, MONTH_MS, type Status } from './send-life.js';

const PRICE = {
  id: 'pri_gatehouse_team',
  product_id: 'pro_gatehouse',
  unit_price: { amount: '4900', currency_code: 'EUR' },
  quantity: { minimum: 1, maximum: 100 },
};

interface SubscriptionChange {
  readonly status: string;
  readonly period: number;
  readonly cancelAtPeriodEnd?: boolean;
}

/**
 * The twenty events of a Paddle subscription: bought with a trial, renewed, failing, paid again, paused,
 * resumed, and canceled at the end of its period. Payloads follow version 1 of the Paddle Billing API.
 */
export function paddleLife({ accountId, startMs, key }: LifeOptions): LifeStep[] {
  const customer = `ctm_${key}`;
  const subscription = `sub_${key}`;
  const steps: LifeStep[] = [];

  const tell = (atMs: number, type: string, standing: Status, data: object) => {
    const id = `evt_${key}${String(steps.length).padStart(2, '0')}`;
    const event = {
      event_id: id,
      event_type: type,
      occurred_at: microsecondIso(atMs, steps.length),
      notification_id: `ntf_${key}${steps.length}`,
      data,
    };
    steps.push({ event, id, type, standing });
  };

  const subscribed = (atMs: number, kind: string, standing: Status, change: SubscriptionChange) => {
    const periodStartMs = startMs + change.period * MONTH_MS;
    const endsAt = iso(periodStartMs + MONTH_MS);
    tell(atMs, `subscription.${kind}`, standing, {
      id: subscription,
      status: change.status,
      customer_id: customer,
      address_id: `add_${key}`,
      business_id: null,
      currency_code: 'EUR',
      created_at: iso(startMs),
      updated_at: iso(atMs),
      started_at: iso(startMs),
      first_billed_at: change.period === 0 ? null : iso(startMs + MONTH_MS),
      next_billed_at: change.status === 'active' || change.status === 'trialing' ? endsAt : null,
      paused_at: change.status === 'paused' ? iso(atMs) : null,
      canceled_at: change.status === 'canceled' ? iso(atMs) : null,
      collection_mode: 'automatic',
      billing_details: null,
      billing_cycle: { interval: 'month', frequency: 1 },
      current_billing_period:
        change.status === 'paused' || change.status === 'canceled'
          ? null
          : { starts_at: iso(periodStartMs), ends_at: endsAt },
      scheduled_change: change.cancelAtPeriodEnd
        ? { action: 'cancel', effective_at: endsAt, resume_at: null }
        : null,
      items: [
        {
          status: change.status === 'trialing' ? 'trialing' : 'active',
          quantity: 1,
          recurring: true,
          created_at: iso(startMs),
          updated_at: iso(atMs),
          price: PRICE,
          product: { id: PRICE.product_id, name: 'Team', tax_category: 'saas' },
        },
      ],
      custom_data: { accountId },
    });
  };

  const transacted = (atMs: number, kind: string, standing: Status, status: string) =>
    tell(atMs, `transaction.${kind}`, standing, {
      id: `txn_${key}${Math.floor((atMs - startMs) / MONTH_MS)}`,
      status,
      customer_id: customer,
      custom_data: { accountId },
      currency_code: 'EUR',
      origin: atMs < startMs + DAY_MS ? 'web' : 'subscription_recurring',
      subscription_id: subscription,
      collection_mode: 'automatic',
      items: [{ price: PRICE, quantity: 1 }],
      payments: [],
      created_at: iso(atMs),
      updated_at: iso(atMs),
      billed_at: iso(atMs),
    });

  const renewalMs = (period: number) => startMs + period * MONTH_MS + HOUR_MS;

  tell(startMs, 'customer.created', 'trialing', {
    id: customer,
    name: `Customer ${key}`,
    email: `billing-${key}@example.test`,
    marketing_consent: false,
    status: 'active',
    custom_data: null,
    locale: 'en',
    created_at: iso(startMs),
    updated_at: iso(startMs),
  });
  subscribed(startMs + 1_000, 'created', 'trialing', { status: 'trialing', period: 0 });
  subscribed(startMs + 1_000, 'trialing', 'trialing', { status: 'trialing', period: 0 });
  transacted(startMs + 2_000, 'completed', 'trialing', 'completed');
  subscribed(renewalMs(1), 'activated', 'active', { status: 'active', period: 1 });
  transacted(renewalMs(1) + 1_000, 'paid', 'active', 'paid');
  transacted(renewalMs(1) + 2_000, 'completed', 'active', 'completed');
  subscribed(renewalMs(2), 'updated', 'active', { status: 'active', period: 2 });
  transacted(renewalMs(2) + 1_000, 'payment_failed', 'past_due', 'past_due');
  transacted(renewalMs(2) + 2_000, 'past_due', 'past_due', 'past_due');
  subscribed(renewalMs(2) + 3_000, 'past_due', 'past_due', { status: 'past_due', period: 2 });
  subscribed(renewalMs(2) + 4_000, 'updated', 'past_due', { status: 'past_due', period: 2 });
  transacted(renewalMs(2) + DAY_MS, 'completed', 'active', 'completed');
  subscribed(renewalMs(2) + DAY_MS + 1_000, 'updated', 'active', { status: 'active', period: 2 });
  subscribed(renewalMs(3), 'paused', 'paused', { status: 'paused', period: 3 });
  subscribed(renewalMs(3) + DAY_MS, 'resumed', 'active', { status: 'active', period: 3 });
  transacted(renewalMs(3) + DAY_MS + 1_000, 'completed', 'active', 'completed');
  subscribed(renewalMs(3) + 5 * DAY_MS, 'updated', 'active', {
    status: 'active',
    period: 3,
    cancelAtPeriodEnd: true,
  });
  subscribed(renewalMs(4), 'canceled', 'canceled', { status: 'canceled', period: 3 });
  transacted(renewalMs(4) + DAY_MS, 'completed', 'canceled', 'completed');
  return steps;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Paddle reports microseconds, which distinguish events of one millisecond. */
function microsecondIso(ms: number, microseconds: number): string {
  return iso(ms).replace('Z', `${String(microseconds).padStart(3, '0')}Z`);
}
