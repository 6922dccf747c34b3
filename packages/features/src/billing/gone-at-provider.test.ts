import { listWebhooks } from '@gatehouse/db/queries/read-webhooks';
import { describe, expect, inject, it } from 'vitest';
import { deliver, drain } from '../test/billing.js';
import { type ShopWorld, startShop } from '../test/shop-world.js';

const dialect = inject('dialect');
const PROVIDERS = [
  ['stripe', 'team'],
  ['paddle', 'team-paddle'],
] as const;

const closing = (shop: ShopWorld) =>
  shop.ask('account.close', { input: { name: 'Acme Studio', cancelSubscription: true } });

function customerOf(shop: ShopWorld, provider: 'stripe' | 'paddle'): string {
  const id = shop.simulator.billing.customers(provider)[0]?.id;
  if (id === undefined) throw new Error('no customer was created');
  return id;
}

describe.each(PROVIDERS)('a customer that %s no longer knows', (provider, plan) => {
  it('is replaced by a new one at the next checkout', async () => {
    await using shop = await startShop({ dialect });
    await shop.ask('billing.checkout', { input: { plan } });
    const [sale] = shop.simulator.billing.openCheckouts(provider);
    const forgotten = customerOf(shop, provider);
    shop.simulator.billing.forget(forgotten);
    shop.simulator.billing.forget(sale?.id ?? '');
    await shop.database.write(
      shop.database.update(shop.database.tables.billingCheckouts).set({ checkedAtMs: 0 }),
    );
    const again = await shop.ask('billing.checkout', { input: { plan } });
    expect(again).toMatchObject({ status: 200 });
    expect(customerOf(shop, provider)).not.toBe(forgotten);
    expect(await shop.visit(again.data.url ?? '', { action: 'pay' })).not.toBe(null);
    expect((await shop.ask('subscription.current')).data.state).toBe('active');
  });

  it('has no payment page, and the answer is no_customer', async () => {
    await using shop = await startShop({ dialect });
    await shop.ask('billing.checkout', { input: { plan } });
    shop.simulator.billing.forget(customerOf(shop, provider));
    expect(await shop.ask('billing.portal')).toMatchObject({ status: 409, code: 'no_customer' });
    expect(await shop.ask('billing.portal')).toMatchObject({ status: 409, code: 'no_customer' });
  });

  it('is kept while a gateway answers for the provider', async () => {
    await using shop = await startShop({ dialect });
    await shop.ask('billing.checkout', { input: { plan } });
    const kept = customerOf(shop, provider);
    shop.simulator.billing.misbehave(provider, 'gateway404');
    expect(await shop.ask('billing.portal')).toMatchObject({ status: 502, code: 'provider_failed' });
    shop.simulator.billing.misbehave(provider, null);
    expect((await shop.ask('billing.portal')).status).toBe(200);
    expect(shop.simulator.billing.customers(provider).map(({ id }) => id)).toEqual([kept]);
  });
});

describe.each(PROVIDERS)('closing an account whose payments %s no longer knows', (provider, plan) => {
  it('succeeds when the checkout is unknown', async () => {
    await using shop = await startShop({ dialect });
    await shop.ask('billing.checkout', { input: { plan } });
    for (const { id } of shop.simulator.billing.openCheckouts(provider)) shop.simulator.billing.forget(id);
    expect((await closing(shop)).status).toBe(200);
  });

  it('succeeds when the subscription is unknown', async () => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan } });
    const [sale] = shop.simulator.billing.openCheckouts(provider);
    await shop.visit(data.url ?? '', { action: 'pay' });
    shop.simulator.billing.forget(sale?.subscriptionId ?? '');
    expect((await closing(shop)).status).toBe(200);
  });

  it('succeeds when the subscription ended at the provider without an event', async () => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan } });
    const [sale] = shop.simulator.billing.openCheckouts(provider);
    await shop.visit(data.url ?? '', { action: 'pay' });
    shop.simulator.billing.end(sale?.subscriptionId ?? '');
    expect((await closing(shop)).status).toBe(200);
  });

  it('succeeds when customer, checkout and subscription are all unknown', async () => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan } });
    const [sale] = shop.simulator.billing.openCheckouts(provider);
    await shop.visit(data.url ?? '', { action: 'pay' });
    for (const id of [customerOf(shop, provider), sale?.id ?? '', sale?.subscriptionId ?? ''])
      shop.simulator.billing.forget(id);
    expect((await closing(shop)).status).toBe(200);
  });

  it.each(['html', 'empty', 'reset', 'error500', 'rateLimit', 'wrongTypes'] as const)(
    'fails, and leaves the account open, when the provider answers by %s',
    async (how) => {
      await using shop = await startShop({ dialect });
      const { data } = await shop.ask('billing.checkout', { input: { plan } });
      const [sale] = shop.simulator.billing.openCheckouts(provider);
      await shop.visit(data.url ?? '', { action: 'pay' });
      shop.simulator.billing.forget(sale?.subscriptionId ?? '');
      shop.simulator.billing.misbehave(provider, how);
      expect(await closing(shop)).toMatchObject({ status: 502, code: 'provider_failed' });
      expect((await shop.ask('subscription.current')).status).toBe(200);
    },
  );

  it('fails, and leaves the account open, when a gateway answers for the provider', async () => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan } });
    await shop.visit(data.url ?? '', { action: 'pay' });
    shop.simulator.billing.misbehave(provider, 'gateway404');
    expect(await closing(shop)).toMatchObject({ status: 502, code: 'provider_failed' });
    shop.simulator.billing.misbehave(provider, null);
    expect((await shop.ask('subscription.current')).data.state).toBe('active');
  });
});

describe('a customer that Stripe reports as deleted', () => {
  it('is not used again', async () => {
    await using shop = await startShop({ dialect });
    await shop.ask('billing.checkout', { input: { plan: 'team' } });
    const id = customerOf(shop, 'stripe');
    const event = {
      id: 'evt_gone',
      type: 'customer.deleted',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      data: { object: { id, object: 'customer', email: 'a@example.test', deleted: true } },
    };
    await deliver(shop.service, { path: '/stripe_webhooks', event });
    await drain(shop.service);
    expect((await listWebhooks(shop.database, { limit: 1 }))[0]?.status).toBe('processed');
    expect(await shop.ask('billing.portal')).toMatchObject({ status: 409, code: 'no_customer' });
    expect((await shop.ask('billing.checkout', { input: { plan: 'business' } })).status).toBe(200);
    expect(shop.simulator.billing.customers('stripe')).toHaveLength(2);
  });
});
