import { openBillingCustomer, setBillingCustomer } from '@gatehouse/db/queries/billing-customer';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { billingEnvironment, MONTH_MS, startProviderSimulator, stripeLife } from '@gatehouse/simulator';
import { type RunningService, signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { BILLING_ENVIRONMENT, deliver, drain, startBilling } from '../test/billing.js';
import { trialEnds } from './billing-jobs.js';

const dialect = inject('dialect');
const START_MS = Date.now() - 5 * MONTH_MS;
const CEDAR = 3;

/** A purchase through a public payment link in which nothing but `client_reference_id` names an account. */
function purchase(accountId: number, key: string) {
  const steps = stripeLife({ accountId, startMs: START_MS, key });
  return steps.map(({ event }) => {
    const anonymous = JSON.parse(
      JSON.stringify(event, (name, value: unknown) => (name === 'metadata' ? {} : value)),
    ) as { type: string; data: { object: Record<string, unknown> } };
    if (anonymous.type === 'checkout.session.completed')
      anonymous.data.object['client_reference_id'] = String(accountId);
    return anonymous;
  });
}

async function reported(service: RunningService, events: readonly object[]): Promise<void> {
  for (const event of events)
    expect((await deliver(service, { path: '/stripe_webhooks', event })).status).toBe(200);
  await drain(service);
}

const stateOf = async ({ database }: RunningService, accountId = CEDAR) =>
  (await findSubscription(database, accountId))?.state;

async function endTrial({ database, services }: RunningService, accountId = CEDAR): Promise<void> {
  const { subscriptions } = database.tables;
  await changeAccess(database, { accounts: [accountId] }, (tx) =>
    tx.write(tx.update(subscriptions).set({ trialEndsAtMs: 1 })),
  );
  await trialEnds.run(services);
}

async function start(): Promise<RunningService> {
  const simulator = await startProviderSimulator();
  const service = await startBilling({
    dialect,
    env: { ...billingEnvironment(simulator.url), ...BILLING_ENVIRONMENT },
  });
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

const FULL_LIFE = purchase(CEDAR, 'payer');
/** As far as it is paid. */
const PAID = FULL_LIFE.slice(0, 5);

describe('a purchase in which only the payer names the account', () => {
  it('does not end a trial, whether it is paid or over', async () => {
    await using service = await start();
    await reported(service, PAID);
    expect(await stateOf(service)).toBe('trialing');
    await reported(service, FULL_LIFE);
    expect(await stateOf(service)).toBe('trialing');
  });

  it('starts a subscription if there is none, from the end of the trial on', async () => {
    await using service = await start();
    await reported(service, PAID);
    await endTrial(service);
    expect(await stateOf(service)).toBe('active');
    await reported(service, FULL_LIFE);
    expect(await stateOf(service)).toBe('canceled');
  });

  it('opens no billing portal of the payer, and does not stop the owner from buying', async () => {
    await using service = await start();
    await reported(service, PAID);
    await endTrial(service);
    const { token } = await signIn(service, 'owner@cedar.test');
    const call = async (path: string, body: object) => {
      const response = await service.send(path, { token, accountId: CEDAR, body });
      const { error } = (await response.json()) as { error?: { code: string } };
      return [response.status, error?.code];
    };
    expect(await call('/v1/billing/portal', {})).toEqual([409, 'no_customer']);
    expect(await call('/v1/billing/checkout', { plan: 'team' })).toEqual([200, undefined]);
  });

  it('requires a confirmation before the account closes, and lets the owner end it and leave', async () => {
    await using service = await start();
    await reported(service, PAID);
    await endTrial(service);
    const { token } = await signIn(service, 'owner@cedar.test');
    const call = async (path: string, body: object) => {
      const response = await service.send(path, { token, accountId: CEDAR, body });
      const { error } = (await response.json()) as { error?: { code: string } };
      return [response.status, error?.code];
    };
    const account = await findAccount(service.database, CEDAR);
    const name = account?.name ?? '';
    const leave = { accounts: [{ accountId: CEDAR, action: 'close' }] };
    expect(await call('/v1/member/deleteOwn', leave)).toEqual([409, 'subscribed']);
    expect(await call('/v1/account/close', { name })).toEqual([409, 'subscribed']);
    const close = { name, cancelSubscription: true };
    expect(await call('/v1/account/close', close)).toEqual([200, undefined]);
    expect(await call('/v1/member/deleteOwn', {})).toEqual([200, undefined]);
  });

  it('does not affect a subscription that the integrator’s server named, running or ended', async () => {
    await using service = await start();
    const own = stripeLife({ accountId: CEDAR, startMs: START_MS + 1000, key: 'own' }).map(
      ({ event }) => event,
    );
    await reported(service, own.slice(0, 4));
    await reported(service, FULL_LIFE);
    const kept = await findSubscription(service.database, CEDAR);
    expect(kept).toMatchObject({ state: 'active', providerSubscriptionId: 'sub_own' });
    await reported(service, own);
    await endTrial(service);
    expect(await findSubscription(service.database, CEDAR)).toMatchObject({
      state: 'canceled',
      providerSubscriptionId: 'sub_own',
    });
  });

  it('stays with the account that the customer is known to pay for', async () => {
    await using service = await start();
    const { database } = service;
    const customer = { provider: 'stripe', customerId: 'cus_payer', nowMs: Date.now() };
    await database.transaction(async (tx) => {
      const { id } = await openBillingCustomer(tx, customer);
      const account = { value: 1, atUs: 1, weight: 1, rank: 0, eventId: 'checkout' };
      await setBillingCustomer(tx, {
        id,
        accountId: 1,
        email: null,
        name: null,
        isGone: false,
        detail: { account },
      });
    });
    await reported(service, PAID);
    expect([await stateOf(service, 1), await stateOf(service)]).toEqual(['active', 'trialing']);
  });
});
