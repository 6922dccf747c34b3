import { createApp } from '@gatehouse/api-main/app';
import { DAY_MS, MONTH_MS, paddleLife, stripeLife } from '@gatehouse/simulator';
import { type RunningService, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { BILLING_ENVIRONMENT, type Delivered, deliver, drain, startBilling } from '../test/billing.js';

const dialect = inject('dialect');

interface Subscription {
  state: string;
  active: boolean;
  trialEndsAt: string | null;
  periodEndsAt: string | null;
  graceEndsAt: string | null;
}

interface Me {
  memberships: { accountId: number; subscription: Subscription }[];
  currentAccount: { subscription: Subscription } | null;
}

async function me(service: RunningService, token: string, accountId = 1): Promise<Me> {
  const response = await service.send('/auth/me', { token, accountId });
  expect(response.status).toBe(200);
  return (await response.json()) as Me;
}

async function tell(
  service: RunningService,
  path: Delivered['path'],
  events: readonly object[],
): Promise<void> {
  for (const event of events) expect((await deliver(service, { path, event })).status).toBe(200);
  await drain(service);
}

const stateIn = async (service: RunningService, token: string) => {
  const { currentAccount } = await me(service, token);
  return [currentAccount?.subscription.state, currentAccount?.subscription.active];
};

describe('the subscription in GET /auth/me', () => {
  it('is in every membership and in the current account, and equals subscription.current', async () => {
    await using service = await startBilling({ dialect });
    const { token } = await signIn(service, 'owner@acme.test');
    const { memberships, currentAccount } = await me(service, token);
    expect(memberships.map(({ subscription }) => subscription.state)).toEqual(
      memberships.map(() => 'trialing'),
    );
    expect(currentAccount?.subscription).toMatchObject({
      state: 'trialing',
      active: true,
      periodEndsAt: null,
      graceEndsAt: null,
    });
  });

  it('is in the accounts granted to staff too', async () => {
    await using service = await startBilling({ dialect });
    const { token } = await signIn(service, 'staff@gatehouse.test');
    const response = await service.send('/auth/me', { token });
    const { grants } = (await response.json()) as { grants: { subscription: Subscription }[] };
    expect(grants.length).toBeGreaterThan(0);
    for (const { subscription } of grants) expect(subscription).toMatchObject({ active: true });
  });

  it('ends with the trial, to the millisecond', async () => {
    let now = Date.now();
    await using service = await startBilling({ dialect, now: () => now });
    const { token } = await signIn(service, 'owner@acme.test');
    const { currentAccount } = await me(service, token);
    const endMs = Date.parse(currentAccount?.subscription.trialEndsAt ?? '');
    // Sessions expire by this clock.
    now = endMs - 1;
    const late = await signIn(service, 'owner@acme.test');
    expect(await stateIn(service, late.token)).toEqual(['trialing', true]);
    now = endMs;
    expect(await stateIn(service, late.token)).toEqual(['expired', false]);
  });

  it('changes on every node in the next request after an event', async () => {
    await using service = await startBilling({ dialect });
    await using other = await startService(createApp, {
      application: 'web',
      dialect,
      env: BILLING_ENVIRONMENT,
      database: service.database,
    });
    const { token } = await signIn(service, 'owner@acme.test');
    expect(await stateIn(other, token)).toEqual(['trialing', true]);
    const steps = stripeLife({ accountId: 1, startMs: Date.now() - 5 * MONTH_MS, key: 'a' });
    for (const { event, standing } of steps) {
      await tell(service, '/stripe_webhooks', [event]);
      // Nothing is regarded as paid before the first payment.
      if (standing === 'trialing') continue;
      expect((await stateIn(other, token))[0]).toBe(standing);
    }
  });

  it('stays active for seven days after the event that first reported a missing payment', async () => {
    for (const [path, life, from] of [
      ['/stripe_webhooks', stripeLife, 8],
      ['/paddle_production_webhooks', paddleLife, 8],
    ] as const) {
      let now = Date.now();
      await using service = await startBilling({ dialect, now: () => now });
      const steps = life({ accountId: 1, startMs: now - 2 * MONTH_MS - DAY_MS, key: 'late' });
      const missed = steps.slice(0, from + 1);
      await tell(
        service,
        path,
        missed.map(({ event }) => event),
      );
      const first = missed.at(-1)?.event as { created?: number; occurred_at?: string };
      const missedMs = first.created ? first.created * 1000 : Date.parse(first.occurred_at ?? '');
      // Further attempts by the provider do not restart the grace period.
      await tell(
        service,
        path,
        steps.slice(from + 1, from + 3).map(({ event }) => event),
      );
      const { token } = await signIn(service, 'owner@acme.test');
      expect(await stateIn(service, token)).toEqual(['past_due', true]);
      const { currentAccount } = await me(service, token);
      expect(currentAccount?.subscription.graceEndsAt).toBe(new Date(missedMs + 7 * DAY_MS).toISOString());
      now = missedMs + 7 * DAY_MS - 1;
      expect(await stateIn(service, token)).toEqual(['past_due', true]);
      now = missedMs + 7 * DAY_MS;
      expect(await stateIn(service, token)).toEqual(['past_due', false]);
    }
  });

  it('has the same start for any order of events', async () => {
    const steps = stripeLife({ accountId: 1, startMs: Date.now() - 3 * MONTH_MS, key: 'any' }).slice(0, 11);
    const since = new Set<number | null | undefined>();
    for (const order of [steps, steps.toReversed(), [...steps.slice(5), ...steps.slice(0, 5)]]) {
      await using service = await startBilling({ dialect });
      await tell(
        service,
        '/stripe_webhooks',
        order.map(({ event }) => event),
      );
      const { subscriptions } = service.database.tables;
      const rows = await service.database
        .select({ id: subscriptions.accountId, pastDueAtMs: subscriptions.pastDueAtMs })
        .from(subscriptions);
      since.add(rows.find(({ id }) => id === 1)?.pastDueAtMs);
    }
    const failed = steps[8]?.event as { created: number };
    expect([...since]).toEqual([failed.created * 1000]);
  });

  it('stays active until the paid period ends after a cancellation', async () => {
    let now = Date.now();
    await using service = await startBilling({ dialect, now: () => now });
    const steps = stripeLife({ accountId: 1, startMs: now - 3 * MONTH_MS - 6 * DAY_MS, key: 'gone' });
    const canceled = steps.at(-2)?.event as { created: number; data: { object: { status: string } } };
    // Canceled at once, in the middle of the fourth period.
    canceled.created = Math.floor(now / 1000);
    await tell(service, '/stripe_webhooks', [...steps.slice(0, 7).map(({ event }) => event), canceled]);
    const { token } = await signIn(service, 'owner@acme.test');
    expect(await stateIn(service, token)).toEqual(['canceled', true]);
    const { currentAccount } = await me(service, token);
    const endMs = Date.parse(currentAccount?.subscription.periodEndsAt ?? '');
    now = endMs - 1;
    const late = await signIn(service, 'owner@acme.test');
    expect(await stateIn(service, late.token)).toEqual(['canceled', true]);
    now = endMs;
    expect(await stateIn(service, late.token)).toEqual(['canceled', false]);
  });

  it('is read with the account, and not again for each request', async () => {
    await using service = await startBilling({ dialect });
    const { token } = await signIn(service, 'owner@acme.test');
    await me(service, token);
    const { loads } = service.services.access.statistics;
    for (let call = 0; call < 20; call += 1) await me(service, token);
    // A call by a member who has just signed in may need one more read.
    expect(service.services.access.statistics.loads - loads).toBeLessThan(20);
  });
});
