import { listWebhooks } from '@gatehouse/db/queries/read-webhooks';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { type RunningService, signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { deliver, drain, startBilling } from '../test/billing.js';

const dialect = inject('dialect');
const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);
const PERIOD_END = NOW + 20 * DAY;

interface Reported {
  readonly id: string;
  readonly created: number;
  readonly type: string;
  readonly object: object;
  readonly previous?: object;
}

const subscription = (fields: object = {}) => ({
  id: 'sub_1',
  object: 'subscription',
  customer: 'cus_1',
  status: 'active',
  start_date: NOW - 90 * DAY,
  latest_invoice: 'in_3',
  items: { data: [{ price: { id: 'price_team' }, current_period_end: PERIOD_END }] },
  metadata: { accountId: '1' },
  ...fields,
});

const invoice = (fields: object = {}) => ({
  id: 'in_3',
  object: 'invoice',
  customer: 'cus_1',
  billing_reason: 'subscription_cycle',
  parent: { subscription_details: { subscription: 'sub_1', metadata: { accountId: '1' } } },
  lines: { data: [{ period: { start: PERIOD_END - 30 * DAY, end: PERIOD_END } }] },
  ...fields,
});

const transaction = (fields: object = {}) => ({
  id: 'txn_1',
  customer_id: 'ctm_1',
  subscription_id: 'sub_1',
  origin: 'subscription_recurring',
  custom_data: { accountId: '1' },
  ...fields,
});

async function tell(service: RunningService, ...reported: readonly Reported[]): Promise<void> {
  for (const { id, created, type, object, previous } of reported) {
    const data = previous === undefined ? { object } : { object, previous_attributes: previous };
    const event = { id, object: 'event', type, created, livemode: false, data };
    expect((await deliver(service, { path: '/stripe_webhooks', event })).status).toBe(200);
  }
  await drain(service);
  const log = await listWebhooks(service.database, { limit: 50 });
  expect(new Set(log.map(({ status }) => status))).toEqual(new Set(['processed']));
}

async function tellPaddle(
  service: RunningService,
  ...reported: readonly (readonly [id: string, atMs: number, type: string, data: object])[]
): Promise<void> {
  for (const [id, atMs, type, data] of reported) {
    const event = { event_id: id, event_type: type, occurred_at: new Date(atMs).toISOString(), data };
    expect((await deliver(service, { path: '/paddle_sandbox_webhooks', event })).status).toBe(200);
  }
  await drain(service);
}

interface Current {
  readonly state: string;
  readonly active: boolean;
  readonly collectionPaused: boolean;
  readonly addOns: string[];
}

async function current(service: RunningService): Promise<Current> {
  const { token } = await signIn(service, 'owner@acme.test');
  const response = await service.send('/v1/subscription/current', { token, accountId: 1 });
  return ((await response.json()) as { data: Current }).data;
}

const updated = 'customer.subscription.updated';

describe('a subscription that was not paid for a month', () => {
  it.each([
    ['an invoice that somebody wrote by hand', { billing_reason: 'manual' }],
    ['a change of the plan', { billing_reason: 'subscription_update' }],
    ['a quote', { billing_reason: 'quote_accept' }],
    ['an invoice without a reason', { billing_reason: null }],
    [
      'the invoice of an earlier period',
      { lines: { data: [{ period: { start: NOW - 90 * DAY, end: NOW - 60 * DAY } }] } },
    ],
  ])('stays past due and without access when %s is paid', async (_what, fields) => {
    await using service = await startBilling({ dialect });
    await tell(
      service,
      { id: 'evt_1', created: NOW - 30 * DAY, type: updated, object: subscription({ status: 'unpaid' }) },
      { id: 'evt_2', created: NOW - 60, type: 'invoice.paid', object: invoice(fields) },
    );
    expect(await current(service)).toMatchObject({ state: 'past_due', active: false });
  });

  it('is active again when the invoice of its current period is paid', async () => {
    await using service = await startBilling({ dialect });
    await tell(
      service,
      { id: 'evt_1', created: NOW - 30 * DAY, type: updated, object: subscription({ status: 'unpaid' }) },
      { id: 'evt_2', created: NOW - 60, type: 'invoice.paid', object: invoice() },
    );
    expect(await current(service)).toMatchObject({ state: 'active', active: true });
  });

  it.each(['subscription_charge', 'subscription_payment_method_change', 'subscription_update'])(
    'stays past due at Paddle when a transaction of %s is paid',
    async (origin) => {
      await using service = await startBilling({ dialect });
      const known = { id: 'sub_1', customer_id: 'ctm_1', custom_data: { accountId: '1' } };
      const atMs = Date.now() - 30 * DAY * 1000;
      await tellPaddle(
        service,
        ['evt_1', atMs, 'subscription.past_due', { ...known, status: 'past_due' }],
        ['evt_2', Date.now() - 60_000, 'transaction.completed', transaction({ origin })],
      );
      expect(await current(service)).toMatchObject({ state: 'past_due', active: false });
    },
  );
});

describe('an active subscription', () => {
  it.each([
    ['subscription_update', { pending_update: { expires_at: NOW + DAY } }],
    ['manual', {}],
    ['upcoming', {}],
  ])('stays active when an invoice of the reason %s fails', async (billing_reason, fields) => {
    await using service = await startBilling({ dialect });
    await tell(
      service,
      { id: 'evt_1', created: NOW - 60, type: updated, object: subscription(fields) },
      { id: 'evt_2', created: NOW - 50, type: 'invoice.payment_failed', object: invoice({ billing_reason }) },
      {
        id: 'evt_3',
        created: NOW - 40,
        type: 'customer.subscription.pending_update_expired',
        object: subscription(),
      },
    );
    expect(await current(service)).toMatchObject({ state: 'active', active: true });
  });

  it('stays active while Stripe collects no payments, and says so', async () => {
    await using service = await startBilling({ dialect });
    const paused = subscription({ pause_collection: { behavior: 'void', resumes_at: null } });
    await tell(service, { id: 'evt_1', created: NOW - 60, type: updated, object: paused });
    expect(await current(service)).toMatchObject({ state: 'active', active: true, collectionPaused: true });
    await tell(service, { id: 'evt_2', created: NOW - 50, type: updated, object: subscription() });
    expect(await current(service)).toMatchObject({ active: true, collectionPaused: false });
  });

  it.each(['void', 'keep_as_draft', 'mark_uncollectible'])(
    'gives no access while its collection is paused (%s) if BILLING_PAUSE_ENDS_ACCESS is true',
    async (behavior) => {
      await using service = await startBilling({ dialect, env: { BILLING_PAUSE_ENDS_ACCESS: 'true' } });
      const paused = subscription({ pause_collection: { behavior } });
      await tell(service, { id: 'evt_1', created: NOW - 60, type: updated, object: paused });
      expect(await current(service)).toMatchObject({
        state: 'active',
        active: false,
        collectionPaused: true,
      });
    },
  );

  it.each([
    ['price_addon', 'price_team'],
    ['price_team', 'price_addon'],
  ])('has the plan that is sold, and lists add-ons separately: %s, %s', async (...prices) => {
    const plans = [{ key: 'team', provider: 'stripe', priceId: 'price_team', name: 'Team' }];
    await using service = await startBilling({ dialect, env: { BILLING_PLANS: JSON.stringify(plans) } });
    const data = prices.map((id) => ({ price: { id }, current_period_end: PERIOD_END }));
    await tell(service, {
      id: 'evt_1',
      created: NOW - 60,
      type: updated,
      object: subscription({ items: { data } }),
    });
    expect(await current(service)).toMatchObject({ addOns: ['price_addon'] });
    expect((await findSubscription(service.database, 1))?.plan).toBe('price_team');
  });
});

describe('two events of the same second', () => {
  const missed = { created: NOW - 60, type: updated, object: subscription({ status: 'past_due' }) };
  const settled = {
    created: NOW - 60,
    type: updated,
    object: subscription({ latest_invoice: 'in_4' }),
    previous: { status: 'past_due', latest_invoice: 'in_3' },
  };

  it.each([
    ['evt_a', 'evt_b', false],
    ['evt_a', 'evt_b', true],
    ['evt_b', 'evt_a', false],
    ['evt_b', 'evt_a', true],
  ])(
    'give the state that the changed fields imply, with the ids %s and %s, reversed: %s',
    async (first, second, isReversed) => {
      await using service = await startBilling({ dialect });
      const reported = [
        { id: first, ...missed },
        { id: second, ...settled },
      ];
      await tell(service, ...(isReversed ? reported.toReversed() : reported));
      expect(await current(service)).toMatchObject({ state: 'active' });
    },
  );

  it.each([false, true])(
    'give the state that follows from the previous one when both name what they changed, reversed: %s',
    async (isReversed) => {
      await using service = await startBilling({ dialect });
      const before = { id: 'evt_0', created: NOW - 90, type: updated, object: subscription() };
      const reported = [
        { id: 'evt_a', ...missed, previous: { status: 'active' } },
        { id: 'evt_b', ...settled, object: subscription(), previous: { status: 'past_due' } },
      ];
      await tell(service, before, ...(isReversed ? reported.toReversed() : reported));
      expect(await current(service)).toMatchObject({ state: 'active' });
    },
  );

  it.each([
    ['stripe', 'active', 'past_due'],
    ['stripe', 'past_due', 'active'],
    ['stripe', 'canceled', 'active'],
  ] as const)(
    'give the state that %s returns when neither says which came last: %s, not %s',
    async (provider, shown, other) => {
      await using simulator = await startProviderSimulator();
      await using service = await startBilling({ dialect, env: billingEnvironment(simulator.url) });
      simulator.billing.show(provider, subscription({ status: shown }));
      const reported = [shown, other, 'past_due'].map((status, index) => ({
        id: `evt_${index}`,
        created: NOW - 60,
        type: updated,
        object: subscription({ status: status === 'canceled' ? 'active' : status }),
      }));
      await tell(service, ...reported);
      expect(await current(service)).toMatchObject({ state: shown });
      expect(simulator.billing.asked(provider)).toContain('GET /subscriptions/sub_1');
    },
  );

  it('wait for a provider that does not answer, and are not lost', async () => {
    await using simulator = await startProviderSimulator();
    await using service = await startBilling({ dialect, env: billingEnvironment(simulator.url) });
    simulator.billing.misbehave('stripe', 'error500');
    for (const [id, status] of [
      ['evt_1', 'past_due'],
      ['evt_2', 'active'],
    ] as const) {
      const event = {
        id,
        type: updated,
        created: NOW - 60,
        livemode: false,
        data: { object: subscription({ status }) },
      };
      await deliver(service, { path: '/stripe_webhooks', event });
    }
    await drain(service);
    const log = await listWebhooks(service.database, { limit: 5 });
    expect(log.map(({ status }) => status).toSorted()).toEqual(['processed', 'received']);
  });
});

describe('an event of 300 kB', () => {
  it('is kept and applied', async () => {
    await using service = await startBilling({ dialect });
    const description = 'x'.repeat(300_000);
    await tell(service, {
      id: 'evt_1',
      created: NOW - 60,
      type: updated,
      object: subscription({ description }),
    });
    expect(await current(service)).toMatchObject({ state: 'active' });
  });
});
