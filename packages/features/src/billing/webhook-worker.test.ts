import { openBillingSubscription, setBillingSubscription } from '@gatehouse/db/queries/billing-subscriptions';
import { claimWebhooks, replayWebhook } from '@gatehouse/db/queries/process-webhooks';
import { listWebhooks, listWebhooksOfAccount } from '@gatehouse/db/queries/read-webhooks';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { type LifeStep, MONTH_MS, paddleLife, stripeLife } from '@gatehouse/simulator';
import { type RunningService, signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type Delivered, deliver, drain, startBilling } from '../test/billing.js';
import { webhookWorker } from './webhook-worker.js';

const dialect = inject('dialect');
const START_MS = Date.now() - 5 * MONTH_MS;

const LIVES = {
  stripe: { path: '/stripe_webhooks', life: stripeLife },
  paddle: { path: '/paddle_production_webhooks', life: paddleLife },
} as const;

async function reported(
  service: RunningService,
  path: Delivered['path'],
  steps: readonly LifeStep[],
): Promise<void> {
  for (const { event } of steps) expect((await deliver(service, { path, event })).status).toBe(200);
  await drain(service);
}

const statusOf = async (service: RunningService, accountId = 1) =>
  (await findSubscription(service.database, accountId))?.state;

describe.each(Object.entries(LIVES))('a subscription at %s', (provider, { path, life }) => {
  it("equals the provider's state after each event", async () => {
    await using service = await startBilling({ dialect });
    const { token } = await signIn(service, 'owner@acme.test');
    for (const step of life({ accountId: 1, startMs: START_MS, key: 'one' })) {
      await reported(service, path, [step]);
      const response = await service.send('/subscriptionList', { token, accountId: 1 });
      const answer = (await response.json()) as { subscription: { state: string } };
      expect([step.id, step.type, answer.subscription.state]).toEqual([step.id, step.type, step.standing]);
    }
    expect(await findSubscription(service.database, 1)).toMatchObject({
      state: 'canceled',
      provider,
      providerCustomerId: provider === 'stripe' ? 'cus_one' : 'ctm_one',
      providerSubscriptionId: 'sub_one',
      plan: provider === 'stripe' ? 'price_gatehouse_team' : 'pri_gatehouse_team',
    });
    const log = await listWebhooks(service.database, { limit: 50 });
    expect(new Set(log.map(({ status }) => status))).toEqual(new Set(['processed']));
  });

  it('does not affect the other accounts', async () => {
    await using service = await startBilling({ dialect });
    await reported(service, path, life({ accountId: 2, startMs: START_MS, key: 'two' }).slice(0, 7));
    expect(await statusOf(service, 2)).toBe('active');
    expect([await statusOf(service, 1), await statusOf(service, 3)]).toEqual(['trialing', 'trialing']);
    const applied = (accountId: number) => listWebhooksOfAccount(service.database, accountId, 50);
    expect((await applied(2)).length).toBeGreaterThan(2);
    expect([await applied(1), await applied(3)]).toEqual([[], []]);
  });
});

describe('a billing event', () => {
  const [, , , paid, bought] = stripeLife({ accountId: 1, startMs: START_MS, key: 'ev' });

  it('about data we do not keep is ignored, not failed', async () => {
    await using service = await startBilling({ dialect });
    const event = { id: 'evt_x', type: 'charge.refunded', created: 1_790_000_000, data: { object: {} } };
    await deliver(service, { path: '/stripe_webhooks', event });
    await drain(service);
    expect(await listWebhooks(service.database, { limit: 5 })).toMatchObject([
      { status: 'ignored', attempts: 1 },
    ]);
  });

  it('of a known type and an unknown shape fails, and says where the shape differs', async () => {
    await using service = await startBilling({ dialect });
    const object = { id: 'sub_x', customer: 'cus_x', status: 'reborn' };
    const event = {
      id: 'evt_x',
      type: 'customer.subscription.updated',
      created: 1_790_000_000,
      data: { object },
    };
    await deliver(service, { path: '/stripe_webhooks', event });
    await drain(service);
    expect(await listWebhooks(service.database, { limit: 5 })).toMatchObject([
      { status: 'failed', reason: 'not of the documented shape: status' },
    ]);
  });

  it('that could not be applied is listed with the account that it names, or that its customer pays for', async () => {
    for (const [path, { life }, broken] of [
      [
        '/stripe_webhooks',
        LIVES.stripe,
        (more: object) => ({
          id: 'evt_broken',
          type: 'customer.subscription.updated',
          created: 1_790_000_000,
          data: { object: { id: 'sub_x', status: 'reborn', ...more } },
        }),
      ],
      [
        '/paddle_production_webhooks',
        LIVES.paddle,
        (more: object) => ({
          event_id: 'evt_broken',
          event_type: 'subscription.updated',
          occurred_at: '2026-09-01T00:00:00Z',
          data: { id: 'sub_x', status: 'reborn', ...more },
        }),
      ],
    ] as const) {
      await using service = await startBilling({ dialect });
      await reported(service, path, life({ accountId: 2, startMs: START_MS, key: 'known' }).slice(0, 7));
      const isStripe = path === '/stripe_webhooks';
      const naming = isStripe ? { metadata: { accountId: '3' } } : { custom_data: { accountId: '3' } };
      const unknown = isStripe ? { metadata: { accountId: '4' } } : { custom_data: { accountId: '4' } };
      const paying = isStripe ? { customer: 'cus_known' } : { customer_id: 'ctm_known' };
      for (const [index, more] of [naming, paying, unknown, {}].entries()) {
        const event = broken(more);
        const id = isStripe ? { id: `evt_${index}` } : { event_id: `evt_${index}` };
        expect((await deliver(service, { path, event: { ...event, ...id } })).status).toBe(200);
      }
      await drain(service);
      const failed = async (accountId: number) =>
        (await listWebhooksOfAccount(service.database, accountId, 50))
          .filter(({ status }) => status === 'failed')
          .map(({ eventId }) => eventId);
      expect([await failed(2), await failed(3), await failed(4)]).toEqual([['evt_1'], ['evt_0'], []]);
    }
  });

  it('that names a missing account has no effect, even when the account is created later', async () => {
    await using service = await startBilling({ dialect });
    await reported(
      service,
      '/stripe_webhooks',
      stripeLife({ accountId: 4, startMs: START_MS, key: 'ghost' }).slice(0, 6),
    );
    expect(await findSubscription(service.database, 4)).toBeUndefined();
    const [newest] = await listWebhooks(service.database, { limit: 1 });
    expect(newest).toMatchObject({ status: 'processed', reason: 'it names account 4, which does not exist' });
  });

  it('is released after its worker died, and applied once', async () => {
    let now = Date.now();
    await using service = await startBilling({ dialect, now: () => now });
    await deliver(service, { path: '/stripe_webhooks', event: paid?.event ?? {} });
    const claimed = await claimWebhooks(service.database, {
      leaseToken: 'dead',
      leaseMs: 15_000,
      nowMs: now,
      limit: 9,
    });
    expect(claimed).toHaveLength(1);
    expect(await drain(service)).toBe(0);
    now += 15_001;
    expect(await drain(service)).toBe(1);
    expect(await statusOf(service)).toBe('active');
  });

  it('that kills every process that applies it is marked as failed for good', async () => {
    let now = Date.now();
    await using service = await startBilling({ dialect, now: () => now });
    await deliver(service, { path: '/stripe_webhooks', event: paid?.event ?? {} });
    for (let death = 1; death <= 50; death += 1) {
      await claimWebhooks(service.database, {
        leaseToken: `dead${death}`,
        leaseMs: 15_000,
        nowMs: now,
        limit: 9,
      });
      now += 15_001;
    }
    await drain(service);
    expect(await listWebhooks(service.database, { limit: 1 })).toMatchObject([
      { status: 'failed', reason: 'given up: no attempt came to an end', attempts: 51 },
    ]);
  });

  it('is applied by one of two concurrent workers', async () => {
    await using service = await startBilling({ dialect });
    const steps = stripeLife({ accountId: 1, startMs: START_MS, key: 'both' });
    for (const { event } of steps) await deliver(service, { path: '/stripe_webhooks', event });
    const rounds = await Promise.all(Array.from({ length: 4 }, () => webhookWorker.run(service.services)));
    await drain(service);
    expect(rounds.reduce((sum, turn) => sum + turn, 0)).toBe(steps.length);
    const log = await listWebhooks(service.database, { limit: 50 });
    expect(log.map(({ attempts }) => attempts)).toEqual(steps.map(() => 1));
    expect(await statusOf(service)).toBe('canceled');
  });

  it('is retried with growing delays while applying it fails, and finally marked as failed', async () => {
    let now = Date.now();
    await using service = await startBilling({ dialect, now: () => now });
    const { database } = service;
    const damaged = await openBillingSubscription(database, {
      provider: 'stripe',
      subscriptionId: 'sub_ev',
      customerId: 'cus_ev',
      nowMs: now,
    });
    const store = (facts: object) =>
      setBillingSubscription(database, { id: damaged.id, accountId: null, facts });
    await store({ snapshot: 'damaged' });
    await deliver(service, { path: '/stripe_webhooks', event: paid?.event ?? {} });
    const newest = async () => (await listWebhooks(database, { limit: 1 }))[0];
    const pausesMs: number[] = [];
    for (let attempt = 1; attempt < 12; attempt += 1) {
      const begunMs = now;
      while ((await drain(service)) === 0) now += 500;
      pausesMs.push(now - begunMs);
      expect(await newest()).toMatchObject({ status: 'received', reason: 'fault', attempts: attempt });
    }
    expect(pausesMs.toSorted((left, right) => left - right)).toEqual(pausesMs);
    now += 3_600_000;
    await drain(service);
    expect(await newest()).toMatchObject({ status: 'failed', reason: 'fault', attempts: 12 });

    await store({});
    await replayWebhook(database, { id: (await newest())?.id ?? 0, nowMs: now });
    await drain(service);
    expect(await newest()).toMatchObject({ status: 'processed', attempts: 1 });
    expect(await statusOf(service)).toBe('active');
  });

  it('from a payer’s browser does not override what the integrator’s server said', async () => {
    await using service = await startBilling({ dialect });
    const checkout = structuredClone(bought?.event ?? {}) as { data: { object: Record<string, unknown> } };
    Object.assign(checkout, { id: 'evt_planted', created: Math.floor(Date.now() / 1000) });
    checkout.data.object['client_reference_id'] = '2';
    await reported(
      service,
      '/stripe_webhooks',
      stripeLife({ accountId: 1, startMs: START_MS, key: 'ev' }).slice(0, 4),
    );
    expect((await deliver(service, { path: '/stripe_webhooks', event: checkout })).status).toBe(200);
    await drain(service);
    expect([await statusOf(service, 1), await statusOf(service, 2)]).toEqual(['active', 'trialing']);
  });
});

describe('a paying account', () => {
  it('keeps a live subscription when another one of it ends', async () => {
    await using service = await startBilling({ dialect });
    await reported(service, '/stripe_webhooks', stripeLife({ accountId: 1, startMs: START_MS, key: 'old' }));
    expect(await statusOf(service)).toBe('canceled');
    await reported(
      service,
      '/paddle_production_webhooks',
      paddleLife({ accountId: 1, startMs: START_MS, key: 'new' }).slice(0, 7),
    );
    expect(await findSubscription(service.database, 1)).toMatchObject({
      state: 'active',
      provider: 'paddle',
    });
  });

  it('gains a customer’s subscriptions when the customer is assigned to it, and loses them again', async () => {
    await using service = await startBilling({ dialect });
    const steps = paddleLife({ accountId: 1, startMs: START_MS, key: 'cust' }).slice(1, 7);
    const anonymous = steps.map((step) => ({ ...step, event: withoutAccount(step.event) }));
    await reported(service, '/paddle_production_webhooks', anonymous);
    expect(await statusOf(service)).toBe('trialing');
    const assign = (accountId: number, minute: number) => ({
      event_id: `evt_assign${minute}`,
      event_type: 'customer.updated',
      occurred_at: `2026-01-01T00:0${minute}:00Z`,
      data: { id: 'ctm_cust', email: 'a@example.test', name: null, custom_data: { accountId } },
    });
    await deliver(service, { path: '/paddle_production_webhooks', event: assign(1, 1) });
    await drain(service);
    expect(await statusOf(service, 1)).toBe('active');
    await deliver(service, { path: '/paddle_production_webhooks', event: assign(2, 2) });
    await drain(service);
    expect([await statusOf(service, 1), await statusOf(service, 2)]).toEqual(['trialing', 'active']);
  });

  it('that had a subscription when it was imported is found by its customer', async () => {
    await using service = await startBilling({ dialect });
    const { database } = service;
    const nowMs = Date.now();
    const stamps = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const { accounts, subscriptions } = database.tables;
    const accountId = await database.insert(accounts, {
      name: 'Moved',
      nameKey: 'moved',
      ownerId: 3,
      ...stamps,
    });
    await database.insert(subscriptions, {
      accountId,
      state: 'active',
      provider: 'paddle',
      providerCustomerId: 'ctm_moved',
      providerSubscriptionId: 'sub_moved',
      plan: 'pri_old',
      ...stamps,
    });
    const steps = paddleLife({ accountId: 1, startMs: START_MS, key: 'moved' });
    const anonymous = steps.map((step) => ({ ...step, event: withoutAccount(step.event) }));
    await reported(service, '/paddle_production_webhooks', anonymous.slice(0, 1));
    expect(await findSubscription(database, accountId)).toMatchObject({ state: 'active', plan: 'pri_old' });
    await reported(service, '/paddle_production_webhooks', anonymous.slice(1, 11));
    expect(await findSubscription(database, accountId)).toMatchObject({
      state: 'past_due',
      plan: 'pri_gatehouse_team',
    });
    expect(await statusOf(service, 1)).toBe('trialing');
  });
});

function withoutAccount(event: object): object {
  const copy = structuredClone(event) as { data: Record<string, unknown> };
  return { ...copy, data: { ...copy.data, custom_data: null } };
}
