import { createServer, type IncomingMessage } from 'node:http';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMembership } from '@gatehouse/db/queries/memberships';
import { MONTH_MS, paddleLife, stripeLife } from '@gatehouse/simulator';
import { type RunningService, signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type Delivered, deliver, drain, startBilling } from '../test/billing.js';
import { createPaddleSource } from './paddle-source.js';
import { createStripeSource } from './stripe-source.js';

const dialect = inject('dialect');

const START_MS = Date.now() - 5 * MONTH_MS;

interface Listed {
  status: boolean;
  data: {
    id: string;
    provider: string | null;
    state: string;
    customer: { id: string; email: string } | null;
  }[];
  page: { limit: number; nextCursor: string | null };
  subscription: { state: string; provider: string | null; trialEndsAt: string | null };
}

async function listed(
  service: RunningService,
  query = '',
  email = 'owner@acme.test',
  accountId = 1,
): Promise<Listed> {
  const { token } = await signIn(service, email);
  const response = await service.send(`/subscriptionList${query}`, { token, accountId });
  expect(response.status).toBe(200);
  return (await response.json()) as Listed;
}

async function walk(service: RunningService, limit: number, query = ''): Promise<string[]> {
  const { token } = await signIn(service, 'owner@acme.test');
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = `?limit=${limit}${query}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await service.send(`/subscriptionList${page}`, { token, accountId: 1 });
    const answer = (await response.json()) as Listed;
    expect(answer.data.length).toBeLessThanOrEqual(limit);
    ids.push(...answer.data.map(({ id }) => id));
    cursor = answer.page.nextCursor;
  } while (cursor !== null);
  return ids;
}

async function tell(
  service: RunningService,
  path: Delivered['path'],
  events: readonly object[],
): Promise<void> {
  for (const event of events) expect((await deliver(service, { path, event })).status).toBe(200);
  await drain(service);
}

const eventsOf = (life: typeof stripeLife, accountId: number, key: string, count = 7) =>
  life({ accountId, startMs: START_MS, key })
    .slice(0, count)
    .map(({ event }) => event);

describe('GET /subscriptionList', () => {
  it('shows the trial of an account that has bought nothing yet', async () => {
    await using service = await startBilling({ dialect });
    const answer = await listed(service);
    expect(answer).toMatchObject({
      status: true,
      data: [{ id: 'trial', provider: null, customer: null, state: 'trialing' }],
      page: { limit: 50, nextCursor: null },
      subscription: { state: 'trialing', provider: null },
    });
    expect((await listed(service, '?provider=stripe')).data).toEqual([]);
  });

  it('reports a trial as over from the millisecond it ends, before any job has run', async () => {
    let now = Date.now();
    await using service = await startBilling({ dialect, now: () => now });
    const { subscription } = await listed(service);
    const endMs = Date.parse(subscription.trialEndsAt ?? '');
    now = endMs - 1;
    expect((await listed(service)).subscription.state).toBe('trialing');
    now = endMs;
    const over = await listed(service);
    expect([over.subscription.state, over.data[0]?.state]).toEqual(['expired', 'expired']);
  });

  it('lists what the webhooks reported, with the paying customer', async () => {
    await using service = await startBilling({ dialect });
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, 'a'));
    await tell(service, '/paddle_production_webhooks', eventsOf(paddleLife, 1, 'b'));
    expect(await listed(service)).toMatchObject({
      data: [
        {
          id: 'sub_a',
          provider: 'stripe',
          state: 'active',
          customer: { id: 'cus_a', email: 'billing-a@example.test' },
        },
        {
          id: 'sub_b',
          provider: 'paddle',
          state: 'active',
          customer: { id: 'ctm_b', email: 'billing-b@example.test' },
        },
      ],
      subscription: { state: 'active' },
    });
    expect((await listed(service, '?provider=paddle')).data.map(({ id }) => id)).toEqual(['sub_b']);
  });

  it('pages through them without losing or repeating one', async () => {
    await using service = await startBilling({ dialect });
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, key));
    expect(await walk(service, 2)).toEqual(keys.map((key) => `sub_${key}`));
    expect(await walk(service, 1)).toEqual(keys.map((key) => `sub_${key}`));
  });

  it('answers POST the same way', async () => {
    await using service = await startBilling({ dialect });
    const { token } = await signIn(service, 'owner@acme.test');
    const response = await service.send('/subscriptionList', { token, accountId: 1, body: { limit: 5 } });
    expect(await response.json()).toMatchObject({ status: true, page: { limit: 5 } });
  });

  it('never shows what another account pays', async () => {
    await using service = await startBilling({ dialect });
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, 'mine'));
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 2, 'theirs'));
    expect((await listed(service)).data.map(({ id }) => id)).toEqual(['sub_mine']);
    expect((await listed(service, '', 'owner@birch.test', 2)).data.map(({ id }) => id)).toEqual([
      'sub_theirs',
    ]);
  });

  it('refuses callers without subscription.read', async () => {
    await using service = await startBilling({ dialect });
    const refusals = [
      ['manager@acme.test', 1, 403, 'permission_denied'],
      ['contributor@acme.test', 1, 403, 'permission_denied'],
      ['owner@birch.test', 1, 403, 'account_forbidden'],
      ['owner@acme.test', undefined, 400, 'account_required'],
    ] as const;
    for (const [email, accountId, status, code] of refusals) {
      const { token } = await signIn(service, email);
      const response = await service.send('/subscriptionList', { token, accountId });
      expect([email, response.status, await response.json()]).toMatchObject([
        email,
        status,
        { error: { code } },
      ]);
    }
  });

  it('refuses an unknown provider, a wrong limit and a forged cursor as invalid', async () => {
    await using service = await startBilling({ dialect });
    const { token } = await signIn(service, 'owner@acme.test');
    const forged = Buffer.from('["x",1]').toString('base64url');
    for (const query of [
      'provider=acme',
      'limit=0',
      'cursor=nonsense',
      `cursor=${forged}`,
      'provider=stripe&provider=paddle',
    ]) {
      const response = await service.send(`/subscriptionList?${query}`, { token, accountId: 1 });
      expect([query, response.status]).toEqual([query, 400]);
    }
  });
});

interface ProviderAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The part of both providers' APIs that lists subscriptions, with a given number per customer. */
async function startProviderApi(
  answerFor: (request: IncomingMessage, url: URL) => ProviderAnswer | 'hang' | Promise<ProviderAnswer>,
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider.test');
    asked.push(`${url.pathname}${url.search}`);
    void (async () => {
      const answer = await answerFor(request, url);
      if (answer === 'hang') return;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pageOf(ids: readonly string[], after: string | null, limit: number) {
  const from = after === null ? 0 : ids.indexOf(after) + 1;
  return { ids: ids.slice(from, from + limit), hasMore: from + limit < ids.length };
}

function startStripeApi(
  subscriptions: Readonly<Record<string, readonly string[]>>,
  metadata: Record<string, string> = {},
) {
  return startProviderApi((request, url) => {
    if (request.headers.authorization !== 'Bearer sk_test_listing')
      return { status: 401, body: { error: { message: 'no' } } };
    const customer = url.searchParams.get('customer') ?? '';
    const limit = Number(url.searchParams.get('limit') ?? 10);
    const { ids, hasMore } = pageOf(
      subscriptions[customer] ?? [],
      url.searchParams.get('starting_after'),
      limit,
    );
    return {
      status: 200,
      body: {
        object: 'list',
        url: '/v1/subscriptions',
        has_more: hasMore,
        data: ids.map((id) => ({
          id,
          object: 'subscription',
          customer,
          status: id.endsWith('x') ? 'incomplete_expired' : 'past_due',
          start_date: 1_780_000_000,
          cancel_at_period_end: false,
          items: {
            object: 'list',
            data: [{ current_period_end: 1_790_000_000, price: { id: 'price_live' } }],
          },
          metadata,
        })),
      },
    };
  });
}

describe('the list of subscriptions with an API key of Stripe', () => {
  const withKey = (url: string) =>
    startBilling({ dialect, env: { STRIPE_API_KEY: 'sk_test_listing', STRIPE_API_URL: url } });

  it('shows nothing to a caller who lost the account while Stripe was slow', async () => {
    let lose = (): Promise<unknown> => Promise.resolve();
    await using api = await startProviderApi(async () => {
      await lose();
      return { status: 200, body: { object: 'list', url: '/v1/subscriptions', has_more: false, data: [] } };
    });
    await using service = await withKey(api.url);
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, 'a'));
    const { token, userId: memberId } = await signIn(service, 'owner@acme.test');
    lose = () => {
      const nowMs = Date.now();
      return changeAccess(service.database, { members: [memberId] }, (tx) =>
        removeMembership(tx, { memberId, accountId: 1, nowMs }),
      );
    };
    const answer = await service.send('/subscriptionList', { token, accountId: 1 });
    expect([answer.status, api.asked.length]).toEqual([403, 1]);
  });

  it('contains the subscriptions of the account’s customers there, page by page', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `sub_live${index}`);
    await using api = await startStripeApi({ cus_a: ids, cus_b: ['sub_other'] }, { accountId: '1' });
    await using service = await withKey(api.url);
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, 'a'));
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, 'b'));
    expect(await listed(service)).toMatchObject({
      data: [...ids, 'sub_other'].map((id) => ({ id, state: 'past_due', plan: 'price_live' })),
    });
    expect(await walk(service, 3)).toEqual([...ids, 'sub_other']);
    expect(api.asked).toContain(
      '/v1/subscriptions?customer=cus_a&status=all&limit=3&starting_after=sub_live2',
    );
  });

  it('leaves out unpaid subscriptions, and those that the customer pays for another account', async () => {
    await using api = await startStripeApi({ cus_a: ['sub_x', 'sub_a', 'sub_new'] }, { accountId: '2' });
    await using service = await withKey(api.url);
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, 'a'));
    expect((await listed(service)).data.map(({ id }) => id)).toEqual(['sub_a']);
  });

  it('reports a refusal of the provider, without the key', async () => {
    await using api = await startProviderApi(() => ({
      status: 403,
      body: { error: { message: 'sk_test_listing is no good' } },
    }));
    await using service = await withKey(api.url);
    await tell(service, '/stripe_webhooks', eventsOf(stripeLife, 1, 'a'));
    const { token } = await signIn(service, 'owner@acme.test');
    const response = await service.send('/subscriptionList', { token, accountId: 1 });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'provider_failed' } });
    expect(service.logLines.join('\n')).not.toContain('sk_test');
  });

  it('makes no call for accounts without a customer', async () => {
    await using api = await startStripeApi({});
    await using service = await withKey(api.url);
    expect((await listed(service)).data.map(({ id }) => id)).toEqual(['trial']);
    expect(api.asked).toEqual([]);
  });
});

describe('the list of subscriptions with an API key of Paddle', () => {
  const instant = '2026-09-01T00:00:00Z';
  const startPaddleApi = (ids: readonly string[]) =>
    startProviderApi((request, url) => {
      if (request.headers.authorization !== 'bearer pdl_live_listing')
        return { status: 403, body: { error: { code: 'forbidden' } } };
      const perPage = Number(url.searchParams.get('per_page') ?? 50);
      const page = pageOf(ids, url.searchParams.get('after'), perPage);
      return {
        status: 200,
        body: {
          data: page.ids.map((id) => paddleSubscription(id, url.searchParams.get('customer_id') ?? '')),
          meta: {
            request_id: 'r',
            pagination: {
              per_page: perPage,
              next: 'unused',
              has_more: page.hasMore,
              estimated_total: ids.length,
            },
          },
        },
      };
    });
  const paddleSubscription = (id: string, customer: string) => ({
    id,
    status: 'active',
    customer_id: customer,
    address_id: 'add_1',
    currency_code: 'EUR',
    created_at: instant,
    updated_at: instant,
    started_at: instant,
    collection_mode: 'automatic',
    current_billing_period: { starts_at: instant, ends_at: '2026-10-01T00:00:00Z' },
    billing_cycle: { interval: 'month', frequency: 1 },
    scheduled_change: { action: 'cancel', effective_at: '2026-10-01T00:00:00Z', resume_at: null },
    management_urls: null,
    items: [
      {
        status: 'active',
        quantity: 1,
        recurring: true,
        created_at: instant,
        updated_at: instant,
        price: {
          id: 'pri_live',
          product_id: 'pro_1',
          unit_price: { amount: '1', currency_code: 'EUR' },
          quantity: { minimum: 1, maximum: 1 },
        },
        product: { id: 'pro_1', name: 'Team', tax_category: 'saas' },
      },
    ],
    custom_data: null,
  });

  it('contains the subscriptions of the account’s customers there, page by page', async () => {
    const ids = Array.from({ length: 5 }, (_, index) => `sub_live${index}`);
    await using api = await startPaddleApi(ids);
    await using service = await startBilling({
      dialect,
      env: { PADDLE_API_KEY: 'pdl_live_listing', PADDLE_API_URL: api.url },
    });
    const assign = {
      event_id: 'evt_assign',
      event_type: 'customer.created',
      occurred_at: instant,
      data: { id: 'ctm_live', email: 'a@example.test', name: 'A', custom_data: { account_id: '1' } },
    };
    await tell(service, '/paddle_production_webhooks', [assign]);
    const answer = await listed(service, '?provider=paddle');
    expect(answer.data).toMatchObject(
      ids.map((id) => ({
        id,
        provider: 'paddle',
        state: 'active',
        plan: 'pri_live',
        cancelAt: '2026-10-01T00:00:00.000Z',
      })),
    );
    expect(await walk(service, 2, '&provider=paddle')).toEqual(ids);
    expect(api.asked.at(-1)).toMatch(/^\/subscriptions\?.*after=sub_live3/);
  });

  it('reports a refusal of the provider', async () => {
    await using api = await startPaddleApi([]);
    await using service = await startBilling({
      dialect,
      env: { PADDLE_API_KEY: 'pdl_wrong', PADDLE_API_URL: api.url },
    });
    await tell(service, '/paddle_production_webhooks', eventsOf(paddleLife, 1, 'b'));
    const { token } = await signIn(service, 'owner@acme.test');
    expect((await service.send('/subscriptionList', { token, accountId: 1 })).status).toBe(502);
  });
});

describe('a call to a provider that does not answer', () => {
  const customer = {
    id: 1,
    provider: 'any',
    customerId: 'c_1',
    accountId: 1,
    email: null,
    name: null,
    isGone: null,
  };

  it.each([['stripe', createStripeSource] as const, ['paddle', createPaddleSource] as const])(
    'fails in time: %s',
    async (provider, createSource) => {
      await using api = await startProviderApi(() => 'hang');
      const source = createSource({ apiKey: 'key', url: api.url, timeoutMs: 200 });
      const begunMs = performance.now();
      const answer = source({ accountId: 1, provider, customer, after: undefined, limit: 10 });
      await expect(answer).rejects.toMatchObject({ code: 'provider_failed' });
      expect(performance.now() - begunMs).toBeLessThan(5_000);
    },
  );
});
