import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { MONTH_MS } from '@gatehouse/simulator';
import { describe, expect, inject, it, vi } from 'vitest';
import { deliver } from '../test/billing.js';
import { type ShopWorld, startShop } from '../test/shop-world.js';
import { applyBillingClaims } from './apply-billing-claims.js';
import { reconcilePayments } from './billing-jobs.js';
import { compareWithProvider } from './compare-with-provider.js';
import { readStripeEvent } from './read-stripe-event.js';

const dialect = inject('dialect');
const DAY_MS = 86_400_000;
const PROVIDERS = [
  ['stripe', 'team'],
  ['paddle', 'team-paddle'],
] as const;

/** A shop whose clock can be set, with a subscription of account 1. */
async function startPaidShop(provider: 'stripe' | 'paddle', plan: string) {
  let aheadMs = 0;
  const shop = await startShop({ dialect, now: () => Date.now() + aheadMs });
  const { data } = await shop.ask('billing.checkout', { input: { plan } });
  const [sale] = shop.simulator.billing.openCheckouts(provider);
  await shop.visit(data.url ?? '', { action: 'pay' });
  const subscriptionId = sale?.subscriptionId ?? '';
  return {
    shop,
    subscriptionId,
    wait(ms: number) {
      aheadMs += ms;
    },
    run: () => reconcilePayments.run(shop.service.services),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

const stateOf = async ({ database }: ShopWorld) => (await findSubscription(database, 1))?.state;
const asked = (shop: ShopWorld, provider: 'stripe' | 'paddle', id: string) =>
  shop.simulator.billing.asked(provider).filter((each) => each === `GET /subscriptions/${id}`).length;

describe.each(PROVIDERS)('a subscription at %s whose events were lost', (provider, plan) => {
  it('is corrected two days after its period ended', async () => {
    await using paid = await startPaidShop(provider, plan);
    const { shop, subscriptionId } = paid;
    shop.simulator.billing.end(subscriptionId);
    paid.wait(MONTH_MS + DAY_MS);
    await paid.run();
    expect([await stateOf(shop), asked(shop, provider, subscriptionId)]).toEqual(['active', 0]);
    paid.wait(DAY_MS + 60_000);
    expect(await paid.run()).toBe(1);
    expect(await stateOf(shop)).toBe('canceled');
  });

  it('ends when the provider no longer knows it', async () => {
    await using paid = await startPaidShop(provider, plan);
    paid.shop.simulator.billing.forget(paid.subscriptionId);
    paid.wait(MONTH_MS + 3 * DAY_MS);
    await paid.run();
    expect(await stateOf(paid.shop)).toBe('canceled');
  });

  it('stays unchanged while the provider fails, and is compared again half a day later', async () => {
    await using paid = await startPaidShop(provider, plan);
    const { shop, subscriptionId } = paid;
    shop.simulator.billing.end(subscriptionId);
    shop.simulator.billing.misbehave(provider, 'gateway404');
    paid.wait(MONTH_MS + 3 * DAY_MS);
    await expect(paid.run()).rejects.toMatchObject({ code: 'provider_failed' });
    expect(await stateOf(shop)).toBe('active');
    shop.simulator.billing.misbehave(provider, null);
    await paid.run();
    expect(await stateOf(shop)).toBe('active');
    paid.wait(DAY_MS / 2 + 60_000);
    await paid.run();
    expect(await stateOf(shop)).toBe('canceled');
  });

  it('is compared once by two nodes', async () => {
    await using paid = await startPaidShop(provider, plan);
    const { shop, subscriptionId } = paid;
    const other = await shop.addNode();
    paid.wait(MONTH_MS + 3 * DAY_MS);
    await Promise.all([paid.run(), reconcilePayments.run(other.services)]);
    expect(asked(shop, provider, subscriptionId)).toBe(1);
  });

  it('agrees with the provider once it is corrected, and later events still count', async () => {
    await using paid = await startPaidShop(provider, plan);
    const { shop, subscriptionId } = paid;
    const { services } = shop.service;
    const [{ id: customerId } = { id: '' }] = shop.simulator.billing.customers(provider);
    expect(await compareWithProvider(services, { provider, subscriptionId, customerId })).toMatchObject({
      isDifferent: false,
    });
    paid.wait(MONTH_MS + 3 * DAY_MS);
    await paid.run();
    paid.wait(-MONTH_MS - 3 * DAY_MS);
    await shop.visit(`${shop.simulator.url}/${provider}/portal/${customerId}`, {
      subscription: subscriptionId,
      action: 'miss',
    });
    expect(await stateOf(shop)).toBe('past_due');
  });
});

const subscription = (fields: object) => ({
  object: 'subscription',
  items: { data: [{ price: { id: 'price_gatehouse_team' } }] },
  ...fields,
});

describe('a subscription that changed at its provider without an event', () => {
  const nextPeriod = () => Math.floor(Date.now() / 1000) + 80 * 86_400;
  const items = (...prices: string[]) => ({
    data: prices.map((id) => ({ price: { id }, current_period_end: nextPeriod() })),
  });
  it.each([
    ['that a payment is missing', { status: 'past_due' }, { state: 'past_due' }],
    ['that it was given up as unpaid', { status: 'unpaid' }, { state: 'past_due' }],
    ['that it is paused', { status: 'paused' }, { state: 'paused' }],
    [
      'that its collection is paused',
      { status: 'active', pause_collection: { behavior: 'void', resumes_at: null } },
      { state: 'active', isCollectionPaused: true },
    ],
    [
      'that it has another plan',
      { status: 'active', items: items('price_gatehouse_business') },
      { state: 'active', plan: 'price_gatehouse_business' },
    ],
    [
      'that something was bought beside the plan',
      { status: 'active', items: items('price_extra_seats', 'price_gatehouse_team') },
      { state: 'active', plan: 'price_gatehouse_team', addOns: ['price_extra_seats'] },
    ],
    ['that it was renewed', { status: 'active', items: items('price_gatehouse_team') }, { state: 'active' }],
  ])('is corrected two days after its period: %s', async (_what, fields, shown) => {
    await using paid = await startPaidShop('stripe', 'team');
    const { shop, subscriptionId } = paid;
    const [{ id: customerId } = { id: '' }] = shop.simulator.billing.customers('stripe');
    const reported = { id: subscriptionId, customer: customerId, metadata: { accountId: '1' }, ...fields };
    shop.simulator.billing.show('stripe', subscription(reported));
    paid.wait(MONTH_MS + 3 * DAY_MS);
    expect(await paid.run()).toBe(1);
    expect(await findSubscription(shop.database, 1)).toMatchObject(shown);
  });
});

describe('an event that arrives during the call to the provider', () => {
  it("is regarded as newer than the provider's answer", async () => {
    await using paid = await startPaidShop('stripe', 'team');
    const { shop, subscriptionId } = paid;
    const [{ id: customer } = { id: '' }] = shop.simulator.billing.customers('stripe');
    const known = { id: subscriptionId, customer, metadata: { accountId: '1' } };
    shop.simulator.billing.show('stripe', subscription({ ...known, status: 'past_due' }));
    shop.simulator.billing.misbehave('stripe', 'slow', { done: true });
    paid.wait(MONTH_MS + 3 * DAY_MS);
    const running = paid.run();
    await vi.waitFor(() => expect(asked(shop, 'stripe', subscriptionId)).toBe(1));
    const nowMs = shop.service.services.now();
    const event = {
      id: 'evt_meanwhile',
      type: 'customer.subscription.updated',
      created: Math.floor(nowMs / 1000),
      livemode: false,
      data: { object: subscription({ ...known, status: 'active', pause_collection: { behavior: 'void' } }) },
    };
    await deliver(shop.service, { path: '/stripe_webhooks', event, signedAtMs: nowMs });
    await shop.settle();
    await running;
    expect(await findSubscription(shop.database, 1)).toMatchObject({
      state: 'active',
      isCollectionPaused: true,
    });
  });
});

describe('a subscription that its provider did not know', () => {
  it('returns with the next event, for example after the key of another account was configured', async () => {
    await using paid = await startPaidShop('stripe', 'team');
    const { shop, subscriptionId } = paid;
    const [{ id: customer } = { id: '' }] = shop.simulator.billing.customers('stripe');
    shop.simulator.billing.forget(subscriptionId);
    paid.wait(MONTH_MS + 3 * DAY_MS);
    await paid.run();
    expect(await stateOf(shop)).toBe('canceled');
    const nowMs = shop.service.services.now();
    const object = subscription({ id: subscriptionId, customer, status: 'active' });
    const created = Math.floor(nowMs / 1000);
    const event = { id: 'evt_back', type: 'customer.subscription.updated', created, livemode: false };
    await deliver(shop.service, {
      path: '/stripe_webhooks',
      event: { ...event, data: { object } },
      signedAtMs: nowMs,
    });
    await shop.settle();
    expect(await stateOf(shop)).toBe('active');
  });
});

describe("a subscription about which the provider's answer cannot be read", () => {
  it('does not keep others from being corrected', async () => {
    await using shop = await startShop({ dialect });
    const { services, database } = shop.service;
    const periodEnds = Math.floor(Date.now() / 1000) - 5 * 86_400;
    for (const [accountId, status] of [
      [1, 'reborn'],
      [2, 'canceled'],
    ] as const) {
      const known = {
        id: `sub_${accountId}`,
        customer: `cus_${accountId}`,
        current_period_end: periodEnds + accountId,
        metadata: { accountId: String(accountId) },
      };
      const created = periodEnds - 86_400;
      const claims = readStripeEvent({
        id: `evt_${accountId}`,
        type: 'customer.subscription.updated',
        created,
        data: { object: subscription({ ...known, status: 'active' }) },
      });
      if (claims === undefined) throw new Error('an event about nothing');
      const origin = {
        provider: 'stripe',
        eventId: `evt_${accountId}`,
        occurredAtUs: created * 1e6,
      } as const;
      await changeAccess(database, { accounts: [accountId] }, (tx) =>
        applyBillingClaims(tx, claims, origin, { plans: [], nowMs: Date.now() }),
      );
      shop.simulator.billing.show('stripe', subscription({ ...known, status }));
    }
    await expect(reconcilePayments.run(services)).rejects.toMatchObject({ code: 'provider_failed' });
    expect((await findSubscription(database, 2))?.state).toBe('canceled');
  });
});

describe('a subscription whose period has not ended', () => {
  it('is not compared', async () => {
    await using paid = await startPaidShop('stripe', 'team');
    await paid.run();
    expect(asked(paid.shop, 'stripe', paid.subscriptionId)).toBe(0);
  });
});
