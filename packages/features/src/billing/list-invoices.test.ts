// @module-tag slow
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMembership } from '@gatehouse/db/queries/memberships';
import { MONTH_MS, paddleLife, stripeLife } from '@gatehouse/simulator';
import { signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { deliver, startBilling } from '../test/billing.js';
import { type ShopWorld, startShop } from '../test/shop-world.js';
import { recordOwnCustomer } from './account-customers.js';

const dialect = inject('dialect');

const OWNER = { accountId: 1, nowMs: Date.now() };

interface Invoices {
  readonly data: readonly {
    readonly id: string;
    readonly provider: string;
    readonly number: string | null;
    readonly issuedAt: string;
    readonly amount: number;
    readonly decimals: number;
    readonly currency: string;
    readonly state: string;
    readonly pageUrl: string | null;
    readonly pdfUrl: string | null;
  }[];
  readonly page: { readonly limit: number; readonly nextCursor: string | null };
  readonly hasOlder: boolean;
}

async function invoices(
  { service, owner }: Pick<ShopWorld, 'service' | 'owner'>,
  accountId = 1,
  token = owner.token,
): Promise<Invoices> {
  const response = await service.send('/v1/billing/invoices', { token, accountId });
  expect(response.status).toBe(200);
  return (await response.json()) as Invoices;
}

async function subscriptionIds({ database }: ShopWorld): Promise<string[]> {
  const { billingSubscriptions } = database.tables;
  const rows = await database.select({ id: billingSubscriptions.subscriptionId }).from(billingSubscriptions);
  return rows.map(({ id }) => id);
}

/** Pays for a plan, and returns the actions of its page at the provider. */
async function buy(shop: ShopWorld, plan: string, as: { token?: string; accountId?: number } = {}) {
  const before = await subscriptionIds(shop);
  const { data } = await shop.ask('billing.checkout', { input: { plan }, ...as });
  await shop.visit(data.url ?? '', { action: 'pay', email: 'payer@acme.test' });
  const { data: portal } = await shop.ask('billing.portal', as);
  const bought = (await subscriptionIds(shop)).find((id) => !before.includes(id));
  const subscription = bought ?? expect.fail('nothing was bought');
  return (action: string) => shop.visit(portal.url ?? '', { action, subscription });
}

const asked = ({ simulator }: ShopWorld) =>
  (['stripe', 'paddle'] as const).flatMap((provider) =>
    simulator.billing.asked(provider).filter((each) => /^GET \/(?:invoices|transactions)$/.test(each)),
  );

describe('billing.invoices', () => {
  it('is empty for an account that has bought nothing, and asks no provider', async () => {
    await using shop = await startShop({ dialect });
    expect(await invoices(shop)).toEqual({
      status: true,
      data: [],
      page: { limit: 12, nextCursor: null },
      hasOlder: false,
    });
    expect([shop.simulator.billing.asked('stripe'), shop.simulator.billing.asked('paddle')]).toEqual([
      [],
      [],
    ]);
  });

  it.each([
    ['stripe', 'team', 2900],
    ['paddle', 'team-paddle', 4900],
  ] as const)('lists what was billed, newest first, with its state: %s', async (provider, plan, amount) => {
    await using shop = await startShop({ dialect });
    const act = await buy(shop, plan);
    const [first] = (await invoices(shop)).data;
    expect(first).toMatchObject({ provider, amount, decimals: 2, currency: 'EUR', state: 'paid' });
    expect(first?.number).toMatch(provider === 'stripe' ? /^[0-9A-F]{8}-0001$/ : /^74820-10001$/);
    expect(Math.abs(Date.parse(first?.issuedAt ?? '') - Date.now())).toBeLessThan(60_000);
    const links = [first?.pageUrl, first?.pdfUrl];
    if (provider === 'paddle') expect(links).toEqual([null, null]);
    else
      for (const [link, type] of [
        [links[0], 'text/html'],
        [links[1], 'application/pdf'],
      ]) {
        const page = await fetch(link ?? '');
        expect(page.headers.get('content-type')).toContain(type);
        await page.text();
      }
    await act('renew');
    await act('miss');
    const due = await invoices(shop);
    expect(due.data.map(({ state }) => state)).toEqual(['open', 'paid', 'paid']);
    expect(due.data.at(-1)?.id).toBe(first?.id);
    await act('settle');
    expect((await invoices(shop)).data.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
  });

  it.each([
    ['stripe', '/stripe_webhooks', stripeLife],
    ['paddle', '/paddle_sandbox_webhooks', paddleLife],
  ] as const)('lists a generated life up to its failed payment: %s', async (provider, path, life) => {
    await using shop = await startShop({ dialect });
    const steps = life({ accountId: 1, startMs: Date.now() - 3 * MONTH_MS, key: 'life' });
    for (const { event } of steps.slice(0, 9)) {
      const body = JSON.stringify({ provider, event });
      const reported = await fetch(`${shop.simulator.url}/control/billing`, { method: 'POST', body });
      expect(reported.status).toBe(200);
      await reported.text();
      expect((await deliver(shop.service, { path, event })).status).toBe(200);
    }
    await shop.settle();
    const { data } = await invoices(shop);
    expect(data.map(({ state, amount }) => [state, amount])).toEqual([
      ['open', 4900],
      ['paid', 4900],
      ['paid', 4900],
    ]);
  });

  it('lists twelve of both providers together, and says that there are older ones', async () => {
    await using shop = await startShop({ dialect });
    const stripe = await buy(shop, 'team');
    await stripe('cancel');
    const paddle = await buy(shop, 'team-paddle');
    const both = await invoices(shop);
    expect(
      both.data.map(({ provider }) => provider).toSorted((one, other) => (one < other ? -1 : 1)),
    ).toEqual(['paddle', 'stripe']);
    expect(both.hasOlder).toBe(false);
    for (let month = 0; month < 11; month += 1) await paddle('renew');
    const many = await invoices(shop);
    expect([many.data.length, many.hasOlder]).toEqual([12, true]);
    const times = many.data.map(({ issuedAt }) => Date.parse(issuedAt));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  it('lists invoices only to members of the account who may pay', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, 'team');
    const other = await signIn(shop.service, 'owner@birch.test');
    expect((await invoices(shop, 2, other.token)).data).toEqual([]);
    await buy(shop, 'business', { token: other.token, accountId: 2 });
    const [mine, theirs] = [await invoices(shop), await invoices(shop, 2, other.token)];
    expect([mine, theirs].map(({ data }) => data.map(({ amount }) => amount))).toEqual([[2900], [9900]]);
    const before = asked(shop).length;
    for (const [email, accountId, code] of [
      ['manager@acme.test', 1, 'permission_denied'],
      ['member@acme.test', 1, 'permission_denied'],
      ['owner@birch.test', 1, 'account_forbidden'],
    ] as const) {
      const { token } = await signIn(shop.service, email);
      expect(await shop.ask('billing.invoices', { token, accountId })).toMatchObject({ status: 403, code });
    }
    expect(asked(shop)).toHaveLength(before);
  });

  it('answers 403 to a caller who loses the account while the provider is asked', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, 'team');
    shop.simulator.billing.misbehave('stripe', 'slow');
    const answer = shop.ask('billing.invoices');
    while (asked(shop).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { userId: memberId } = shop.owner;
    await changeAccess(shop.database, { members: [memberId] }, (tx) =>
      removeMembership(tx, { memberId, accountId: 1, nowMs: Date.now() }),
    );
    expect(await answer).toMatchObject({ status: 403, code: 'account_forbidden', data: {} });
  });

  it.each([
    ['stripe', 'team'],
    ['paddle', 'team-paddle'],
  ] as const)('answers 502 while the provider fails, and the list afterwards: %s', async (provider, plan) => {
    await using shop = await startShop({ dialect });
    await buy(shop, plan);
    for (const how of ['error500', 'html', 'empty', 'null', 'refuse', 'reset', 'wrongTypes'] as const) {
      shop.simulator.billing.misbehave(provider, how);
      expect([how, await shop.ask('billing.invoices')]).toMatchObject([
        how,
        { status: 502, code: 'provider_failed' },
      ]);
    }
    expect((await shop.ask('subscription.current')).status).toBe(200);
    shop.simulator.billing.misbehave(provider, null);
    expect((await invoices(shop)).data).toHaveLength(1);
    expect(shop.service.logLines.join('')).not.toContain('simulated-');
  });

  it('stops waiting for a provider after eight seconds', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, 'team-paddle');
    shop.simulator.billing.misbehave('paddle', 'hang');
    const begunMs = performance.now();
    expect(await shop.ask('billing.invoices')).toMatchObject({ status: 502, code: 'provider_failed' });
    expect(performance.now() - begunMs).toBeLessThan(10_000);
  }, 30_000);

  it('has nothing of a customer that the provider no longer has', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, 'team');
    const [customer] = shop.simulator.billing.customers('stripe');
    shop.simulator.billing.forget(customer?.id ?? '');
    expect((await invoices(shop)).data).toEqual([]);
  });

  it('says that payments are not set up without an API key of a provider of the account', async () => {
    await using bare = await startShop({ dialect, env: { STRIPE_API_KEY: '', PADDLE_API_KEY: '' } });
    const refusal = { status: 404, code: 'provider_not_configured' };
    expect(await bare.ask('billing.invoices')).toMatchObject(refusal);
    await using half = await startShop({ dialect, env: { STRIPE_API_KEY: '' } });
    expect((await invoices(half)).data).toEqual([]);
    await recordOwnCustomer(half.database, { provider: 'stripe', customerId: 'cus_1' }, OWNER);
    expect(await half.ask('billing.invoices')).toMatchObject(refusal);
  });

  it('asks a provider sixty times an hour per account', async () => {
    await using shop = await startShop({ dialect });
    await buy(shop, 'team');
    for (let call = 0; call < 60; call += 1) await invoices(shop);
    expect(await shop.ask('billing.invoices')).toMatchObject({ status: 429, code: 'rate_limited' });
    const other = await signIn(shop.service, 'owner@birch.test');
    expect((await invoices(shop, 2, other.token)).data).toEqual([]);
  });
});

/** A service whose Stripe answers every list of invoices with the same page. */
async function startWithPage(page: (url: string) => object) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(page(urlOf())));
  });
  const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { STRIPE_API_KEY: 'sk_test_1', STRIPE_API_URL: urlOf() };
  const service = await startBilling({ dialect, env });
  await recordOwnCustomer(service.database, { provider: 'stripe', customerId: 'cus_mine' }, OWNER);
  return {
    service,
    owner: await signIn(service, 'owner@acme.test'),
    url: urlOf(),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const invoice = (id: string, fields: object = {}) => ({
  id,
  object: 'invoice',
  customer: 'cus_mine',
  number: `N-${id}`,
  created: 1_790_000_000,
  status_transitions: { finalized_at: 1_790_003_600 },
  total: 1234,
  currency: 'usd',
  status: 'paid',
  ...fields,
});

const list = (...data: object[]) => ({ object: 'list', url: '/v1/invoices', has_more: false, data });

describe('an answer of a provider about invoices', () => {
  it('is freed of what was never issued and of the invoices of other customers', async () => {
    await using world = await startWithPage(() =>
      list(
        invoice('in_theirs', { customer: 'cus_theirs' }),
        invoice('in_expanded', { customer: { id: 'cus_theirs', object: 'customer' } }),
        invoice('in_draft', { status: 'draft', number: null, total: null }),
        invoice('in_stateless', { status: null }),
        invoice('in_nobodys', { customer: null }),
        invoice('in_mine'),
      ),
    );
    const { data } = await invoices(world);
    expect(data).toEqual([
      {
        id: 'in_mine',
        provider: 'stripe',
        number: 'N-in_mine',
        issuedAt: new Date(1_790_003_600_000).toISOString(),
        amount: 1234,
        decimals: 2,
        currency: 'USD',
        state: 'paid',
        pageUrl: null,
        pdfUrl: null,
      },
    ]);
  });

  it('leads to addresses of HTTPS and of its own origin, and to no others', async () => {
    const links = [
      'https://invoice.stripe.com/i/acct_1/live_1?s=ap',
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'http://evil.test/',
      'ftp://files.test/',
      '//evil.test/',
      'https:',
    ];
    await using world = await startWithPage((url) =>
      list(
        ...[...links, `${url}/i/1`].map((link, index) =>
          invoice(`in_${index}`, { hosted_invoice_url: link, invoice_pdf: link }),
        ),
      ),
    );
    const { data } = await invoices(world);
    const shown = [links[0], null, null, null, null, null, null, `${world.url}/i/1`];
    expect(data.map(({ pageUrl }) => pageUrl)).toEqual(shown);
    expect(data.map(({ pdfUrl }) => pdfUrl)).toEqual(shown);
  });

  it('counts decimals as the provider does, not as a browser would', async () => {
    const currencies = { eur: 2, jpy: 0, kwd: 3, isk: 2, huf: 2, rsd: 2 };
    await using world = await startWithPage(() =>
      list(
        ...Object.keys(currencies).map((currency) => invoice(`in_${currency}`, { currency, total: -500 })),
      ),
    );
    const { data } = await invoices(world);
    expect(
      Object.fromEntries(data.map(({ currency, decimals }) => [currency.toLowerCase(), decimals])),
    ).toEqual(currencies);
    expect(data.every(({ amount }) => amount === -500)).toBe(true);
  });

  it.each([
    ['no list', { message: 'Forbidden' }],
    ['an amount in words', list(invoice('in_1', { total: 'ten' }))],
    ['a currency of markup', list(invoice('in_1', { currency: '<b>' }))],
    ['an unknown state', list(invoice('in_1', { status: 'lost' }))],
    ['a customer without an id', list(invoice('in_1', { customer: {} }))],
  ])('is refused if it has an undocumented form: %s', async (_form, page) => {
    await using world = await startWithPage(() => page);
    const response = await world.service.send('/v1/billing/invoices', {
      token: world.owner.token,
      accountId: 1,
    });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'provider_failed' } });
  });
});
