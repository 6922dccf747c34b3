import { findSubscription } from '@gatehouse/db';
import { MONTH_MS } from '@gatehouse/simulator';
import { describe, expect, inject, it } from 'vitest';
import { type ShopWorld, startShop } from '../test/shop-world.js';
import { compareWithProvider } from './provider/compare-with-provider.js';
import { reconcilePayments } from './reconcile-payments.js';

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
  it('is corrected two days after its period has ended', async () => {
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

  it('is over where the provider no longer knows it', async () => {
    await using paid = await startPaidShop(provider, plan);
    paid.shop.simulator.billing.forget(paid.subscriptionId);
    paid.wait(MONTH_MS + 3 * DAY_MS);
    await paid.run();
    expect(await stateOf(paid.shop)).toBe('canceled');
  });

  it('stays as it is while the provider fails, and is asked about again half a day later', async () => {
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

  it('is asked about once by two nodes', async () => {
    await using paid = await startPaidShop(provider, plan);
    const { shop, subscriptionId } = paid;
    const other = await shop.addNode();
    paid.wait(MONTH_MS + 3 * DAY_MS);
    await Promise.all([paid.run(), reconcilePayments.run(other.services)]);
    expect(asked(shop, provider, subscriptionId)).toBe(1);
  });

  it('says the same as the provider once it is corrected, and later events still count', async () => {
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

describe('a subscription whose period still runs', () => {
  it('is not asked about', async () => {
    await using paid = await startPaidShop('stripe', 'team');
    await paid.run();
    expect(asked(paid.shop, 'stripe', paid.subscriptionId)).toBe(0);
  });
});
