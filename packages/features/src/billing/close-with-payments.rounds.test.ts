import { setTimeout as pause } from 'node:timers/promises';
import { leaseBillingCheckout, releaseBillingCheckout } from '@gatehouse/db/queries/billing-checkout';
import { printMeasurements, rounds } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { startShop } from '../test/shop-world.js';

const dialect = inject('dialect');

const PLANS = ['team', 'business'] as const;

describe('closing an account that pays', () => {
  it.each([false, true])(
    'leaves no open checkout of concurrent tabs on two nodes, and cancels at %s',
    { timeout: 600_000 },
    async (cancelSubscription) => {
      await using shop = await startShop({ dialect });
      const other = await shop.addNode();
      const { database } = shop;
      const { limits } = database.tables;
      const name = 'Acme Studio';
      const total = rounds({ suite: 4, stress: 100 });
      const outcomes: Record<string, number> = {};
      for (let round = 0; round < total; round += 1) {
        const tabs = PLANS.flatMap((plan) => [
          shop.ask('billing.checkout', { input: { plan }, on: other }),
          shop.ask('billing.checkout', { input: { plan } }),
        ]);
        const [closed, ...opened] = await Promise.all([
          shop.ask('account.close', { input: { name, cancelSubscription } }),
          ...tabs,
        ]);
        expect(closed.status).toBe(200);
        expect(shop.simulator.billing.openCheckouts('stripe')).toEqual([]);
        for (const { code = 'opened' } of opened) outcomes[code] = (outcomes[code] ?? 0) + 1;
        expect((await shop.ask('account.restore', { input: { accountId: 1 } })).status).toBe(200);
        await database.write(database.delete(limits));
      }
      printMeasurements('tabs at the checkout of an account that closes', {
        canceling: String(cancelSubscription),
        rounds: total,
        left: 0,
        ...outcomes,
      });
    },
  );

  it('waits for a checkout that is being opened, and ends it', async () => {
    await using shop = await startShop({ dialect });
    const other = await shop.addNode();
    const { accountId, leaseToken } = { accountId: 1, leaseToken: 'of a tab' };
    const nowMs = Date.now();
    const attempt = { provider: 'stripe', priceId: 'price', attemptKey: 'key', nowMs };
    const leaseUntilMs = nowMs + 60_000;
    expect(
      await leaseBillingCheckout(shop.database, { accountId, leaseToken, ...attempt, leaseUntilMs }),
    ).toBe(true);
    const closing = shop.ask('account.close', { input: { name: 'Acme Studio' }, on: other });
    expect(await Promise.race([closing, pause(300)])).toBe(undefined);
    await releaseBillingCheckout(
      shop.database,
      { accountId, leaseToken },
      { nextAttemptKey: undefined, nowMs },
    );
    const late = await shop.ask('billing.checkout', { input: { plan: 'team' } });
    expect((await closing).status).toBe(200);
    expect(['account_forbidden', undefined]).toContain(late.code);
    expect(shop.simulator.billing.openCheckouts('stripe')).toEqual([]);
  });

  it('does not block payments after it has failed', async () => {
    await using shop = await startShop({ dialect });
    await shop.ask('billing.checkout', { input: { plan: 'team' } });
    shop.simulator.billing.misbehave('stripe', 'error500');
    const refused = await shop.ask('account.close', { input: { name: 'Acme Studio' } });
    expect(refused).toMatchObject({ status: 502, code: 'provider_failed' });
    shop.simulator.billing.misbehave('stripe', null);
    expect((await shop.ask('billing.checkout', { input: { plan: 'team' } })).status).toBe(200);
    expect(shop.simulator.billing.openCheckouts('stripe')).toHaveLength(1);
  });
});
