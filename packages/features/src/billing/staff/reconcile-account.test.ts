import { listAudit } from '@gatehouse/db/queries/audit-log';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { describe, expect, it } from 'vitest';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';
import { applyBillingClaims } from '../apply-billing-claims.js';
import { readStripeEvent } from '../read-stripe-event.js';

const NOW = Math.floor(Date.now() / 1000);

const subscription = (status: string) => ({
  id: 'sub_1',
  object: 'subscription',
  customer: 'cus_1',
  status,
  start_date: NOW - 86_400,
  items: { data: [{ price: { id: 'price_gatehouse_team' }, current_period_end: NOW + 86_400 }] },
  metadata: { accountId: '1' },
});

/** Account 1 pays by Stripe, as one event said. */
async function pay({ db, nowMs }: SupportWorld): Promise<void> {
  const event = { id: 'evt_1', type: 'customer.subscription.updated', created: NOW - 60 };
  const claims = readStripeEvent({ ...event, data: { object: subscription('active') } });
  if (claims === undefined) throw new Error('an event about nothing');
  const origin = { provider: 'stripe', eventId: 'evt_1', occurredAtUs: (NOW - 60) * 1e6 } as const;
  await changeAccess(db, { accounts: [1] }, (tx) =>
    applyBillingClaims(tx, claims, origin, { plans: [], nowMs: nowMs() }),
  );
}

describe('comparing the subscription of an account with its provider', () => {
  it('corrects it on every node, writes one entry in the audit log, and is offered to root only', async () => {
    await using simulator = await startProviderSimulator();
    await using world = await startSupportWorld(billingEnvironment(simulator.url));
    await pay(world);
    simulator.billing.show('stripe', subscription('canceled'));
    const actions = async (as: { token: string }) =>
      ((await world.call('account.page', { accountId: 1 }, as)).data as { actions: string[] }).actions;
    expect(await actions(world.root)).toContain('reconcile');
    const { status, data } = await world.call('subscription.reconcile', { accountId: 1 }, world.root);
    expect([status, data]).toEqual([200, { asked: 1, corrected: 1 }]);
    const page = await world.call('account.page', { accountId: 1 }, world.root, { on: world.otherAdmin });
    expect(page.data).toMatchObject({ subscription: { state: 'canceled' } });
    const again = await world.call('subscription.reconcile', { accountId: 1 }, world.root);
    expect(again.data).toEqual({ asked: 1, corrected: 0 });
    const lines = await listAudit(world.db, { action: 'subscription.reconciled' }, { limit: 10 });
    expect(lines).toHaveLength(1);
    const refused = await world.call('subscription.reconcile', { accountId: 1 }, world.manager);
    expect(refused.status).toBe(403);
  });

  it('changes nothing when the provider fails, and is refused without a provider', async () => {
    await using simulator = await startProviderSimulator();
    await using world = await startSupportWorld(billingEnvironment(simulator.url));
    const none = await world.call('subscription.reconcile', { accountId: 1 }, world.root);
    expect([none.status, none.code]).toEqual([404, 'provider_not_configured']);
    await pay(world);
    simulator.billing.misbehave('stripe', 'gateway404');
    const failed = await world.call('subscription.reconcile', { accountId: 1 }, world.root);
    expect([failed.status, failed.code]).toEqual([502, 'provider_failed']);
    const page = await world.call('account.page', { accountId: 1 }, world.root);
    expect(page.data).toMatchObject({ subscription: { state: 'active' } });
  });
});
