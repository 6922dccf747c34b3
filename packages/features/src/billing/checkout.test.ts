// @module-tag slow
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMembership } from '@gatehouse/db/queries/memberships';
import { signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { changeColumn } from '../test/change-column.js';
import { APP_URL, type ShopWorld, startShop } from '../test/shop-world.js';

const dialect = inject('dialect');

const TEAM = { input: { plan: 'team' } };

const BUSINESS = { input: { plan: 'business' } };

const PADDLE = { input: { plan: 'team-paddle' } };

async function current(shop: ShopWorld) {
  return (await shop.ask('subscription.current')).data;
}

/** Pays on the checkout page opened for a plan. */
async function buy(shop: ShopWorld, plan: object): Promise<void> {
  const { data } = await shop.ask('billing.checkout', plan);
  expect(await shop.visit(data.url ?? '', { action: 'pay', email: 'payer@acme.test' })).toBe(
    `${APP_URL}/billing`,
  );
}

describe('billing.plans', () => {
  it('lists the plans with an API key, with names and prices', async () => {
    await using shop = await startShop({ dialect, env: { PADDLE_API_KEY: '' } });
    const response = await shop.service.send('/v1/billing/plans', { token: shop.owner.token, accountId: 1 });
    expect(await response.json()).toMatchObject({
      status: true,
      data: [
        {
          key: 'team',
          provider: 'stripe',
          priceId: 'price_gatehouse_team',
          name: 'Team',
          price: { amount: 29, currency: 'EUR', per: 'month' },
        },
        { key: 'business', provider: 'stripe' },
      ],
    });
  });

  it('says that payments are not set up without a plan or a key', async () => {
    for (const env of [{ BILLING_PLANS: '' }, { STRIPE_API_KEY: '', PADDLE_API_KEY: '' }]) {
      await using shop = await startShop({ dialect, env });
      for (const procedure of ['billing.plans', 'billing.checkout'])
        expect(await shop.ask(procedure, TEAM)).toMatchObject({
          status: 404,
          code: 'provider_not_configured',
        });
    }
  });
});

describe('billing.checkout', () => {
  it.each([
    ['stripe', TEAM, 'price_gatehouse_team'],
    ['paddle', PADDLE, 'pri_gatehouse_team'],
  ] as const)('sells a plan: %s', async (provider, plan, priceId) => {
    await using shop = await startShop({ dialect });
    const { status, data } = await shop.ask('billing.checkout', plan);
    expect(status).toBe(200);
    expect(Date.parse(data.expiresAt ?? '')).toBeGreaterThan(Date.now());
    const [open] = shop.simulator.billing.openCheckouts(provider);
    expect(open).toMatchObject({ accountId: '1', priceId, returnUrl: `${APP_URL}/billing` });
    expect(await shop.visit(data.url ?? '', { action: 'pay' })).toBe(`${APP_URL}/billing`);
    expect(await current(shop)).toMatchObject({ state: 'active', active: true });
    expect(await shop.ask('billing.checkout', plan)).toMatchObject({ status: 409, code: 'subscribed' });
  });

  it('ignores a price and a return address from the client', async () => {
    await using shop = await startShop({ dialect });
    for (const extra of [
      { priceId: 'price_cheap' },
      { price: 'price_cheap' },
      { returnUrl: 'https://evil.test' },
      { success_url: 'https://evil.test' },
      { accountId: 2 },
      { quantity: 0 },
    ]) {
      const { status } = await shop.ask('billing.checkout', { input: { plan: 'team', ...extra } });
      expect([200, 400]).toContain(status);
    }
    const open = shop.simulator.billing.openCheckouts('stripe');
    expect(open.length).toBeLessThanOrEqual(1);
    for (const sale of open)
      expect(sale).toMatchObject({
        accountId: '1',
        priceId: 'price_gatehouse_team',
        returnUrl: `${APP_URL}/billing`,
      });
    expect(await shop.ask('billing.checkout', { input: { plan: 'price_cheap' } })).toMatchObject({
      status: 404,
      code: 'provider_not_configured',
    });
    expect((await shop.ask('billing.checkout', { input: {} })).status).toBe(400);
  });

  it('gives two tabs on two nodes the same address, and creates one customer', async () => {
    for (const [provider, plan] of [
      ['stripe', TEAM],
      ['paddle', PADDLE],
    ] as const) {
      await using shop = await startShop({ dialect });
      const node = await shop.addNode();
      const tabs = await Promise.all(
        [shop.service, node, shop.service, node, node].map((on) =>
          shop.ask('billing.checkout', { ...plan, on }),
        ),
      );
      expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(tabs.map(({ data }) => data.url)).size).toBe(1);
      expect(shop.simulator.billing.openCheckouts(provider)).toHaveLength(1);
      expect(shop.simulator.billing.customers(provider)).toHaveLength(1);
    }
  });

  it('leaves one of two plans open on two nodes, and ends the first before the second opens', async () => {
    await using shop = await startShop({ dialect });
    const node = await shop.addNode();
    const first = await shop.ask('billing.checkout', TEAM);
    const second = await shop.ask('billing.checkout', { ...BUSINESS, on: node });
    expect(second.data.url).not.toBe(first.data.url);
    expect(shop.simulator.billing.openCheckouts('stripe').map(({ priceId }) => priceId)).toEqual([
      'price_gatehouse_business',
    ]);
    const asked = shop.simulator.billing.asked('stripe');
    expect(asked.findIndex((each) => each.endsWith('/expire'))).toBeLessThan(
      asked.lastIndexOf('POST /checkout/sessions'),
    );
    await Promise.all([
      shop.ask('billing.checkout', TEAM),
      shop.ask('billing.checkout', { ...BUSINESS, on: node }),
      shop.ask('billing.checkout', TEAM),
    ]);
    expect(shop.simulator.billing.openCheckouts('stripe')).toHaveLength(1);
    expect(shop.simulator.billing.customers('stripe')).toHaveLength(1);
  });

  it('changes the price of an unpaid transaction', async () => {
    const plans = ['a', 'b'].map((key) => ({ key, provider: 'paddle', priceId: `pri_${key}`, name: key }));
    await using shop = await startShop({ dialect, env: { BILLING_PLANS: JSON.stringify(plans) } });
    await shop.ask('billing.checkout', { input: { plan: 'a' } });
    expect((await shop.ask('billing.checkout', { input: { plan: 'b' } })).status).toBe(200);
    expect(shop.simulator.billing.openCheckouts('paddle').map(({ priceId }) => priceId)).toEqual(['pri_b']);
  });

  it('opens a new checkout when the last has expired, and the same one until then', async () => {
    let now = Date.now();
    await using shop = await startShop({ dialect, now: () => now });
    const first = await shop.ask('billing.checkout', TEAM);
    now += 3_600_000;
    expect((await shop.ask('billing.checkout', TEAM)).data.url).toBe(first.data.url);
    const [sale] = shop.simulator.billing.openCheckouts('stripe');
    (sale as { status: string }).status = 'ended';
    now += 2 * 3_600_000;
    const next = await shop.ask('billing.checkout', TEAM);
    expect([next.status, next.data.url === first.data.url]).toEqual([200, false]);
    expect(shop.simulator.billing.openCheckouts('stripe')).toHaveLength(1);
  });

  it('sells a plan only once between a payment and its events', async () => {
    let now = Date.now();
    await using shop = await startShop({ dialect, now: () => now });
    const { data } = await shop.ask('billing.checkout', TEAM);
    shop.simulator.billing.deliverTo({});
    await shop.visit(data.url ?? '', { action: 'pay' });
    expect(await shop.ask('billing.checkout', BUSINESS)).toMatchObject({ status: 409, code: 'subscribed' });
    now += 3_600_000;
    expect(await shop.ask('billing.checkout', TEAM)).toMatchObject({ status: 409, code: 'subscribed' });
    expect(shop.simulator.billing.openCheckouts('stripe')).toEqual([]);
  });

  it('sells a canceled plan again to the same customer', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, TEAM);
    const { data } = await shop.ask('billing.portal');
    const [subscription] = await subscriptionIds(shop);
    await shop.visit(data.url ?? '', { action: 'cancel', subscription: subscription ?? '' });
    expect(await current(shop)).toMatchObject({ state: 'canceled', active: true });
    await buy(shop, TEAM);
    expect(await current(shop)).toMatchObject({ state: 'active' });
    expect(shop.simulator.billing.customers('stripe')).toHaveLength(1);
  });

  it('is refused without billing.manage, before the provider is called', async () => {
    await using shop = await startShop({ dialect });
    for (const [email, accountId, code] of [
      ['manager@acme.test', 1, 'permission_denied'],
      ['member@acme.test', 1, 'permission_denied'],
      ['owner@birch.test', 1, 'account_forbidden'],
    ] as const) {
      const { token } = await signIn(shop.service, email);
      for (const procedure of ['billing.checkout', 'billing.portal', 'billing.plans'])
        expect(await shop.ask(procedure, { ...TEAM, token, accountId })).toMatchObject({ status: 403, code });
    }
    expect(shop.simulator.billing.asked('stripe')).toEqual([]);
  });

  it('can be opened ten times an hour per account', async () => {
    await using shop = await startShop({ dialect });
    for (let call = 0; call < 10; call += 1)
      expect((await shop.ask('billing.checkout', TEAM)).status).toBe(200);
    expect(await shop.ask('billing.checkout', TEAM)).toMatchObject({ status: 429, code: 'rate_limited' });
    const other = await signIn(shop.service, 'owner@birch.test');
    expect((await shop.ask('billing.checkout', { ...TEAM, token: other.token, accountId: 2 })).status).toBe(
      200,
    );
  });
});

async function subscriptionIds({ database }: ShopWorld): Promise<string[]> {
  const { billingSubscriptions } = database.tables;
  const rows = await database.select({ id: billingSubscriptions.subscriptionId }).from(billingSubscriptions);
  return rows.map(({ id }) => id);
}

describe('a provider that fails during a checkout', () => {
  it.each([
    ['stripe', TEAM],
    ['paddle', PADDLE],
  ] as const)('causes a 502, and the next call opens one checkout: %s', async (provider, plan) => {
    await using shop = await startShop({ dialect });
    for (const how of ['error500', 'html', 'empty', 'null', 'refuse', 'reset', 'wrongTypes'] as const) {
      shop.simulator.billing.misbehave(provider, how);
      expect([how, await shop.ask('billing.checkout', plan)]).toMatchObject([
        how,
        { status: 502, code: 'provider_failed', data: {} },
      ]);
    }
    shop.simulator.billing.misbehave(provider, 'slow');
    expect((await shop.ask('billing.checkout', plan)).status).toBe(200);
    expect(shop.simulator.billing.openCheckouts(provider)).toHaveLength(1);
    expect(shop.simulator.billing.customers(provider)).toHaveLength(1);
    expect(shop.service.logLines.join('')).not.toContain('simulated-');
  });

  it('times out after eight seconds, and the next call finds what it created', async () => {
    await using shop = await startShop({ dialect });
    shop.simulator.billing.misbehave('stripe', 'hang', { done: true });
    const begunMs = performance.now();
    expect(await shop.ask('billing.checkout', TEAM)).toMatchObject({ status: 502, code: 'provider_failed' });
    const tookMs = performance.now() - begunMs;
    expect(tookMs).toBeGreaterThan(7_500);
    expect(tookMs).toBeLessThan(10_000);
    shop.simulator.billing.misbehave('stripe', null);
    expect((await shop.ask('billing.checkout', TEAM)).status).toBe(200);
    expect(shop.simulator.billing.customers('stripe')).toHaveLength(1);
    expect(shop.simulator.billing.openCheckouts('stripe')).toHaveLength(1);
  }, 30_000);
});

describe('a caller who loses the account during the call to the provider', () => {
  it.each(['billing.checkout', 'billing.portal'])('gets 403 and no address: %s', async (procedure) => {
    await using shop = await startShop({ dialect });
    await buy(shop, TEAM);
    if (procedure === 'billing.checkout') {
      const { data } = await shop.ask('billing.portal');
      const [subscription] = await subscriptionIds(shop);
      await shop.visit(data.url ?? '', { action: 'cancel', subscription: subscription ?? '' });
    }
    const before = shop.simulator.billing.asked('stripe').length;
    shop.simulator.billing.misbehave('stripe', 'slow');
    const answer = shop.ask(procedure, procedure === 'billing.checkout' ? TEAM : {});
    while (shop.simulator.billing.asked('stripe').length === before)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const { userId: memberId } = shop.owner;
    await changeAccess(shop.database, { members: [memberId] }, (tx) =>
      removeMembership(tx, { memberId, accountId: 1, nowMs: Date.now() }),
    );
    expect(await answer).toMatchObject({ status: 403, code: 'account_forbidden', data: {} });
  });
});

describe('billing.portal', () => {
  it.each([
    ['stripe', TEAM],
    ['paddle', PADDLE],
  ] as const)('opens the page of the account’s own customer: %s', async (provider, plan) => {
    await using shop = await startShop({ dialect });
    expect(await shop.ask('billing.portal')).toMatchObject({ status: 409, code: 'no_customer' });
    await buy(shop, plan);
    const { status, data } = await shop.ask('billing.portal');
    expect(status).toBe(200);
    expect(data.url).toContain(`/${provider}/portal/`);
    const [subscription = ''] = await subscriptionIds(shop);
    const act = (action: string) => shop.visit(data.url ?? '', { action, subscription });
    await act('miss');
    expect(await current(shop)).toMatchObject({ state: 'past_due', active: true });
    await act('settle');
    expect(await current(shop)).toMatchObject({ state: 'active', active: true });
    await act('cancelLater');
    expect(await current(shop)).toMatchObject({ state: 'active', cancelAt: expect.any(String) });
    await act('cancel');
    expect((await current(shop)).state).toBe('canceled');
  });

  it('opens the pages on which a plan is changed and canceled, and the overview once it is canceled', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, TEAM);
    const read = () => shop.ask('subscription.current');
    expect(await read()).toMatchObject({
      data: {
        provider: 'stripe',
        plan: { key: 'team', name: 'Team', price: { amount: 29, currency: 'EUR', per: 'month' } },
      },
    });
    const [subscription = ''] = await subscriptionIds(shop);
    const open = async (page: 'change' | 'cancel') => {
      const { data } = await shop.ask('billing.portal', { input: { page } });
      return data.url ?? '';
    };
    const change = await open('change');
    expect(change).toContain('part=change');
    await shop.visit(change, { price: 'price_gatehouse_business', subscription });
    await current(shop);
    expect(await read()).toMatchObject({ data: { plan: { key: 'business', name: 'Business' } } });
    const cancel = await open('cancel');
    expect(cancel).toContain('part=cancel');
    await shop.visit(cancel, { action: 'cancelLater', subscription });
    expect(await current(shop)).toMatchObject({ cancelAt: expect.any(String) });
    // Stripe refuses its page for a second cancellation.
    const overview = await open('cancel');
    expect(overview).not.toContain('part=');
    await shop.visit(overview, { action: 'resume', subscription });
    expect(await current(shop)).toMatchObject({ state: 'active', cancelAt: null });
  });

  it('opens the page on which Paddle cancels, and its overview for another plan', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, PADDLE);
    for (const [page, isItsOwn] of [
      ['cancel', true],
      ['change', false],
    ] as const) {
      const { data } = await shop.ask('billing.portal', { input: { page } });
      expect([page, data.url?.includes('part=cancel')]).toEqual([page, isItsOwn]);
    }
  });

  it("does not show another account's payments when one customer pays for both", async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, PADDLE);
    const [customer] = shop.simulator.billing.customers('paddle');
    const { token } = await signIn(shop.service, 'owner@birch.test');
    const { data } = await shop.ask('billing.checkout', { ...PADDLE, token, accountId: 2 });
    const [sale] = shop.simulator.billing.openCheckouts('paddle');
    // The payer of account 2 is the provider's customer of account 1.
    Object.assign(sale ?? {}, { customerId: customer?.id });
    await shop.visit(data.url ?? '', { action: 'pay' });
    expect((await shop.ask('subscription.current', { token, accountId: 2 })).data.state).toBe('active');
    const { database } = shop;
    const { billingCustomers } = database.tables;
    const theirs = (await database.select().from(billingCustomers)).find(({ accountId }) => accountId === 2);
    const place = { table: 'billing_customers', column: 'account_id', id: theirs?.id ?? 0 };
    await changeColumn(database, place, 99);
    // Account 1 has the customer, whose page would reveal what account 2 pays.
    for (const asked of [shop.ask('billing.portal', { token, accountId: 2 }), shop.ask('billing.portal')])
      expect(await asked).toMatchObject({ status: 409, code: 'no_customer' });
  });

  it('creates no customer with an address that another customer has', async () => {
    await using shop = await startShop({ dialect });
    await fetch(`${shop.simulator.url}/paddle/api/customers`, {
      method: 'POST',
      headers: { authorization: 'Bearer pdl_sdbx_apikey_simulated-paddle-key' },
      body: JSON.stringify({ email: 'owner@acme.test', custom_data: { accountId: '7' } }),
    });
    expect((await shop.ask('billing.checkout', PADDLE)).status).toBe(200);
    expect(shop.simulator.billing.openCheckouts('paddle')).toMatchObject([
      { accountId: '1', customerId: undefined },
    ]);
    expect(await shop.ask('billing.portal')).toMatchObject({ status: 409, code: 'no_customer' });
  });

  it('answers 502 when the provider fails', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, TEAM);
    shop.simulator.billing.misbehave('stripe', 'html');
    expect(await shop.ask('billing.portal')).toMatchObject({ status: 502, code: 'provider_failed' });
  });
});
