import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { applyBillingClaims } from '@gatehouse/features/billing/apply-billing-claims';
import { readStripeEvent } from '@gatehouse/features/billing/read-stripe-event';
import { billingEnvironment, type ProviderSimulator, startProviderSimulator } from '@gatehouse/simulator';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { billing } from './billing.js';
import { doctor } from './doctor.js';

const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);

const subscription = (id: string, status: string, accountId: number) => ({
  id,
  object: 'subscription',
  customer: `cus_${id}`,
  status,
  start_date: NOW - 40 * DAY,
  items: { data: [{ price: { id: 'price_gatehouse_team' }, current_period_end: NOW - 10 * DAY }] },
  metadata: { accountId: String(accountId) },
});

/** Two accounts that pay by Stripe, of which the events of one were lost. */
async function startWithLostEvents(simulator: ProviderSimulator): Promise<TestDatabase> {
  const place = await createTestDatabase('libsql');
  const { database } = place;
  const nowMs = Date.now();
  const stamps = { createdAtMs: nowMs, updatedAtMs: nowMs };
  for (const [id, status] of [
    ['sub_lost', 'canceled'],
    ['sub_kept', 'active'],
  ] as const) {
    const { accounts } = database.tables;
    const accountId = await database.insert(accounts, { name: id, nameKey: id, ownerId: 1, ...stamps });
    const claims = readStripeEvent({
      id: `evt_${id}`,
      type: 'customer.subscription.updated',
      created: NOW - 40 * DAY,
      data: { object: subscription(id, 'active', accountId) },
    });
    if (claims === undefined) throw new Error('an event about nothing');
    const origin = {
      provider: 'stripe',
      eventId: `evt_${id}`,
      occurredAtUs: (NOW - 40 * DAY) * 1e6,
    } as const;
    await changeAccess(database, { accounts: [accountId] }, (tx) =>
      applyBillingClaims(tx, claims, origin, { plans: [], nowMs }),
    );
    simulator.billing.show('stripe', subscription(id, status, accountId));
  }
  return place;
}

async function run(
  command: typeof billing,
  { url }: TestDatabase,
  { env = {}, args = [] }: { env?: Readonly<Record<string, string>>; args?: string[] },
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await command.run({
    args,
    env: { DATABASE_URL: url, NODE_ENV: 'test', ...env },
    say: (line) => void lines.push(line),
    draw: () => undefined,
  });
  return { code, lines };
}

describe('gatehouse billing reconcile', () => {
  it('lists what differs at the provider, corrects it, and finds nothing more', async () => {
    await using simulator = await startProviderSimulator();
    await using place = await startWithLostEvents(simulator);
    const env = billingEnvironment(simulator.url);
    const dry = await run(billing, place, { env, args: ['reconcile', '--dry-run'] });
    expect(dry).toEqual({
      code: 1,
      lines: [
        'stripe  sub_lost  is different at the provider',
        '2 compared, 1 different, 0 failed, 0 of a provider without an API key.',
      ],
    });
    expect((await findSubscription(place.database, 1))?.state).toBe('active');
    const corrected = await run(billing, place, { env, args: ['reconcile'] });
    expect(corrected).toMatchObject({ code: 0 });
    expect(corrected.lines[0]).toBe('stripe  sub_lost  corrected');
    expect((await findSubscription(place.database, 1))?.state).toBe('canceled');
    expect((await findSubscription(place.database, 2))?.state).toBe('active');
    const again = await run(billing, place, { env, args: ['reconcile', '--dry-run'] });
    expect(again.lines).toEqual(['2 compared, 0 different, 0 failed, 0 of a provider without an API key.']);
  });

  it('says which subscription it could not compare, and exits with 1', async () => {
    await using simulator = await startProviderSimulator();
    await using place = await startWithLostEvents(simulator);
    simulator.billing.misbehave('stripe', 'gateway404');
    const { code, lines } = await run(billing, place, {
      env: billingEnvironment(simulator.url),
      args: ['reconcile'],
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toContain('2 compared, 0 different and corrected, 2 failed');
  });

  it('calls no provider without an API key, and says so', async () => {
    await using simulator = await startProviderSimulator();
    await using place = await startWithLostEvents(simulator);
    const { lines } = await run(billing, place, { args: ['reconcile'] });
    expect(lines).toEqual([
      '0 compared, 0 different and corrected, 0 failed, 2 of a provider without an API key.',
    ]);
    expect(simulator.billing.asked('stripe')).toEqual([]);
  });
});

describe('gatehouse doctor', () => {
  it('counts the subscriptions that differ at their provider', async () => {
    await using simulator = await startProviderSimulator();
    await using place = await startWithLostEvents(simulator);
    const env = billingEnvironment(simulator.url);
    const before = await run(doctor, place, { env });
    expect(before.lines).toContain(
      'FIX  payments: 1 subscriptions are different at their provider; run gatehouse billing reconcile',
    );
    await run(billing, place, { env, args: ['reconcile'] });
    const after = await run(doctor, place, { env });
    expect(after.lines).toContain('ok   payments: no subscription is different at its provider');
    const alone = await run(doctor, place, {});
    expect(alone.lines.filter((line) => line.includes('could not be asked'))).toHaveLength(1);
  });
});
