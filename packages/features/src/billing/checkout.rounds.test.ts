import { randomInt } from 'node:crypto';
import { printMeasurements, rounds } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type Asked, startShop } from '../test/shop-world.js';

const dialect = inject('dialect');

const PLANS = ['team', 'business'];

const TABS = 6;

describe('an account', () => {
  it('has one open checkout and one customer across concurrent tabs on two nodes', async () => {
    await using shop = await startShop({ dialect });
    const nodes = [shop.service, await shop.addNode()];
    const { limits } = shop.database.tables;
    const total = rounds({ suite: 5, stress: 500 });
    let opened = 0;
    for (let round = 0; round < total; round += 1) {
      const tabs: Promise<Asked>[] = Array.from({ length: TABS }, (_, tab) => {
        const on = nodes[tab % nodes.length] ?? shop.service;
        return shop.ask('billing.checkout', { input: { plan: PLANS[randomInt(PLANS.length)] }, on });
      });
      const answers = await Promise.all(tabs);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const open = shop.simulator.billing.openCheckouts('stripe');
      expect(open).toHaveLength(1);
      expect(answers.some(({ data }) => data.url?.endsWith(open[0]?.id ?? 'none'))).toBe(true);
      opened += new Set(answers.map(({ data }) => data.url)).size;
      await shop.database.write(shop.database.delete(limits));
    }
    expect(shop.simulator.billing.customers('stripe')).toHaveLength(1);
    printMeasurements('tabs at the checkout', { rounds: total, calls: total * TABS, opened, doubles: 0 });
  });
});
