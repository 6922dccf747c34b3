import { describe, expect, inject, it } from 'vitest';
import { startShop } from '../test/shop-world.js';

const NAME = 'Acme Studio';

describe('an account that pays for something', () => {
  it('is closed when that was canceled at the provider first, and not without', async () => {
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

  it('is not closed by the deletion of its owner while it pays, nor left with a page to pay on', async () => {
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

  it('leaves no page behind on which somebody pays for it once it is closed', async () => {
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
});
