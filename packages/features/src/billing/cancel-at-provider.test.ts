import { describe, expect, inject, it } from 'vitest';
import { startShop } from '../test/shop-world.js';
import { cancelAtProvider } from './cancel-at-provider.js';

const dialect = inject('dialect');

describe('cancelAtProvider', () => {
  it.each([
    ['stripe', 'team'],
    ['paddle', 'team-paddle'],
  ] as const)('ends what an account pays for, and can be repeated: %s', async (provider, plan) => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan } });
    await shop.visit(data.url ?? '', { action: 'pay' });
    await cancelAtProvider(shop.service.services, 1);
    await shop.settle();
    expect((await shop.ask('subscription.current')).data.state).toBe('canceled');
    await cancelAtProvider(shop.service.services, 1);
    expect(shop.simulator.billing.openCheckouts(provider)).toEqual([]);
  });

  it('ends the open checkout, so that nobody pays for a closed account', async () => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' } });
    await cancelAtProvider(shop.service.services, 1);
    expect(shop.simulator.billing.openCheckouts('stripe')).toEqual([]);
    expect(await shop.visit(data.url ?? '', { action: 'pay' })).toBe(null);
  });

  it('ends a paid subscription whose events have not arrived', async () => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' } });
    shop.simulator.billing.deliverTo({});
    await shop.visit(data.url ?? '', { action: 'pay' });
    await cancelAtProvider(shop.service.services, 1);
    expect(shop.simulator.billing.asked('stripe').at(-1)).toMatch(/^DELETE \/subscriptions\/sub_/);
  });

  it('says that the provider failed, and changes nothing else', async () => {
    await using shop = await startShop({ dialect });
    const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' } });
    await shop.visit(data.url ?? '', { action: 'pay' });
    shop.simulator.billing.misbehave('stripe', 'error500');
    await expect(cancelAtProvider(shop.service.services, 1)).rejects.toMatchObject({
      code: 'provider_failed',
    });
    expect((await shop.ask('subscription.current')).data.state).toBe('active');
  });

  it('does not call a provider if nothing was paid', async () => {
    await using shop = await startShop({ dialect });
    await cancelAtProvider(shop.service.services, 1);
    expect(shop.simulator.billing.asked('stripe')).toEqual([]);
  });
});
