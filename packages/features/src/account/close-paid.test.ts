import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import { describe, expect, inject, it } from 'vitest';
import { startShop } from '../test/shop-world.js';

const NAME = 'Acme Studio';

/** Passes requests on to a provider, and does something before it passes the answer to certain ones back. */
async function startProviderProxy(end: RegExp) {
  const server = createServer((request, response) => {
    void (async () => {
      const { authorization = '' } = request.headers;
      const { method = 'GET', url = '' } = request;
      const body = method === 'POST' ? { body: await text(request) } : {};
      const answer = await fetch(proxy.target + url, { method, headers: { authorization }, ...body });
      const content = await answer.text();
      if (end.test(`${method} ${url}`)) {
        proxy.ended += 1;
        await proxy.beforeAnswer();
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(content);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const proxy = {
    url: `http://127.0.0.1:${port}`,
    target: '',
    ended: 0,
    beforeAnswer: (): Promise<unknown> => Promise.resolve(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

describe('an account that pays for something', () => {
  it('is closed only after the subscription was canceled at the provider', async () => {
    await using shop = await startShop({ dialect: inject('dialect') });
    const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' } });
    await shop.visit(data.url ?? '', { action: 'pay' });
    const close = (input: object) => shop.ask('account.close', { input: { name: NAME, ...input } });
    expect(await close({})).toMatchObject({ status: 409, code: 'subscribed' });
    expect(await close({ cancelSubscription: true, name: 'Acme' })).toMatchObject({ status: 400 });
    shop.simulator.billing.misbehave('stripe', 'error500');
    expect(await close({ cancelSubscription: true })).toMatchObject({ status: 502, code: 'provider_failed' });
    expect((await shop.ask('subscription.current')).data.state).toBe('active');
    shop.simulator.billing.misbehave('stripe', null);
    expect((await close({ cancelSubscription: true })).status).toBe(200);
    const asked = shop.simulator.billing.asked('stripe');
    expect(asked.filter((line) => line.startsWith('DELETE /subscriptions/sub_'))).toHaveLength(1);
    expect(await shop.ask('subscription.current')).toMatchObject({ status: 403, code: 'account_forbidden' });
    await shop.settle();
    const restored = await shop.ask('account.restore', { input: { accountId: 1 } });
    expect(restored.status).toBe(200);
    expect((await shop.ask('subscription.current')).data.state).toBe('canceled');
  });

  it('is not closed by the deletion of its owner while it pays, and then keeps no open checkout', async () => {
    await using shop = await startShop({ dialect: inject('dialect') });
    const end = { accounts: [{ accountId: 1, action: 'close' }] };
    const leave = () => shop.ask('member.deleteOwn', { input: end });
    const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' } });
    shop.simulator.billing.misbehave('stripe', 'error500');
    expect(await leave()).toMatchObject({ status: 502, code: 'provider_failed' });
    shop.simulator.billing.misbehave('stripe', null);
    await shop.visit(data.url ?? '', { action: 'pay' });
    expect(await leave()).toMatchObject({ status: 409, code: 'subscribed' });
    expect((await shop.ask('subscription.current')).data.state).toBe('active');
  });

  it('leaves no open checkout once it is closed', async () => {
    await using shop = await startShop({ dialect: inject('dialect') });
    const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' } });
    const close = () => shop.ask('account.close', { input: { name: NAME } });
    shop.simulator.billing.misbehave('stripe', 'error500');
    expect(await close()).toMatchObject({ status: 502, code: 'provider_failed' });
    expect((await shop.ask('subscription.current')).status).toBe(200);
    shop.simulator.billing.misbehave('stripe', null);
    expect((await close()).status).toBe(200);
    await shop.visit(data.url ?? '', { action: 'pay' });
    await shop.settle();
    expect((await shop.ask('account.restore', { input: { accountId: 1 } })).status).toBe(200);
    expect((await shop.ask('subscription.current')).data.state).not.toBe('active');
  });

  it.each([
    {
      procedure: 'account.close',
      input: { name: NAME, cancelSubscription: true },
      pays: true,
      end: /^DELETE .*\/subscriptions\/sub_/,
    },
    {
      procedure: 'member.deleteOwn',
      input: { accounts: [{ accountId: 1, action: 'close' }] },
      pays: false,
      end: /^POST .*\/checkout\/sessions\/.*\/expire$/,
    },
  ])(
    'is not closed by $procedure if it requires a higher level before the provider has answered',
    async ({ procedure, input, pays, end }) => {
      await using provider = await startProviderProxy(end);
      await using shop = await startShop({
        dialect: inject('dialect'),
        env: { STRIPE_API_URL: provider.url },
      });
      const { database, simulator } = shop;
      provider.target = simulator.url;
      provider.beforeAnswer = () =>
        changeAccess(database, { accounts: [1] }, (tx) =>
          setAccountPolicy(tx, {
            accountId: 1,
            requiredLevel: 2,
            requiredFromMs: null,
            requiredUntilThen: 1,
            nowMs: Date.now(),
          }),
        );
      const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' } });
      if (pays) await shop.visit(data.url ?? '', { action: 'pay' });
      expect(await shop.ask(procedure, { input })).toMatchObject({ status: 403, code: 'enrolment_required' });
      expect(provider.ended).toBe(1);
      expect(await findAccountState(database, 1)).toMatchObject({ isDeleted: false });
      const own = await shop.service.send('/v1/account/listMine', { token: shop.owner.token });
      expect(own.status).toBe(200);
    },
  );
});
