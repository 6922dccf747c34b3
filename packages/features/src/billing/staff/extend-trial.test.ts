import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findSubscription, openSubscription, setSubscription } from '@gatehouse/db/queries/subscriptions';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from '../../test/people-world.js';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';
import { applyBillingClaims } from '../apply-billing-claims.js';
import { trialEnds } from '../billing-jobs.js';

const DAY_MS = 86_400_000;
const reason = 'They need another week';

const isoIn = (world: SupportWorld, ms: number) => new Date(world.nowMs() + ms).toISOString();

async function openAccount(world: SupportWorld) {
  const owner = await world.member();
  const made = await world.call('account.create', { name: 'Kiln' }, owner, { on: world.main });
  return { owner, accountId: (made.data as { id: number }).id };
}

async function isActive(world: SupportWorld, email: string, accountId: number): Promise<unknown> {
  const token = (await world.signIn(email)) ?? '';
  const answer = await world.call('subscription.current', {}, { token, accountId }, { on: world.main });
  const { state, active } = answer.data as { state: string; active: boolean };
  return [state, active];
}

const providers = (
  world: SupportWorld,
  accountId: number,
  more: { state: 'active' | 'canceled'; periodEndsAtMs: number | null },
) =>
  changeAccess(world.db, { accounts: [accountId] }, async (tx) => {
    const row = await openSubscription(tx, { accountId, nowMs: world.nowMs() });
    const { trialEndsAtMs: _, ...rest } = row;
    await setSubscription(tx, {
      ...rest,
      ...more,
      provider: 'stripe',
      providerCustomerId: 'cus_1',
      providerSubscriptionId: 'sub_1',
      lastEventId: 'evt_1',
      lastEventAtMs: world.nowMs(),
    });
  });

/** The provider reports once more that the subscription is over. */
const tellAgain = (world: SupportWorld, accountId: number) =>
  changeAccess(world.db, { accounts: [accountId] }, (tx) =>
    applyBillingClaims(
      tx,
      {
        customerId: 'cus_1',
        subscription: {
          subscriptionId: 'sub_1',
          account: { accountId, authority: 'data' },
          snapshot: {
            status: 'canceled',
            prices: [],
            collectionPaused: false,
            startedAtMs: world.nowMs() - DAY_MS,
            periodEndsAtMs: world.nowMs() - 1,
            cancelAtMs: null,
          },
        },
      },
      { provider: 'stripe', eventId: 'evt_2', occurredAtUs: world.nowMs() * 1_000 + 1 },
      { plans: [], nowMs: world.nowMs() },
    ),
  );

describe('extending a trial', () => {
  it('extends it until the given day, or restarts it once it is over', async () => {
    await using world = await startSupportWorld({ SESSION_ABSOLUTE: '365d' });
    for (const transport of TRANSPORTS) {
      const { owner, accountId } = await openAccount(world);
      world.wait(60 * DAY_MS);
      await trialEnds.run(world.main.services);
      const root = { token: (await world.signIn(world.root.email, world.admin)) ?? '' };
      expect(await isActive(world, owner.email, accountId)).toEqual(['expired', false]);
      const until = isoIn(world, 10 * DAY_MS);
      const input = { accountId, until, reason };
      const extended = await world.call('subscription.extendTrial', input, root, { transport });
      expect([extended.status, extended.data]).toEqual([200, { id: accountId, trialEndsAt: until }]);
      expect(await isActive(world, owner.email, accountId)).toEqual(['trialing', true]);
      expect((await world.call('subscription.extendTrial', input, root, { transport })).status).toBe(200);
      world.wait(10 * DAY_MS - 60_000);
      await trialEnds.run(world.main.services);
      expect(await isActive(world, owner.email, accountId)).toEqual(['trialing', true]);
      world.wait(120_000);
      expect(await isActive(world, owner.email, accountId)).toEqual(['expired', false]);
      const filter = { accountId, action: 'subscription.trial-extended' };
      const late = { token: (await world.signIn(world.root.email, world.admin)) ?? '' };
      expect((await world.call('audit.list', filter, late)).data).toMatchObject([
        { before: { state: 'expired' }, after: { state: 'trialing', trialEndsAt: until, reason } },
      ]);
    }
  });

  it('allows at most 90 days, never shortens it, and requires base role 0', async () => {
    await using world = await startSupportWorld();
    const { accountId } = await openAccount(world);
    await world.call(
      'subscription.extendTrial',
      { accountId, until: isoIn(world, 80 * DAY_MS), reason },
      world.root,
    );
    for (const transport of TRANSPORTS) {
      for (const until of [
        isoIn(world, -1000),
        isoIn(world, 90 * DAY_MS + 60_000),
        isoIn(world, 79 * DAY_MS),
        'later',
      ]) {
        const refused = await world.call(
          'subscription.extendTrial',
          { accountId, until, reason },
          world.root,
          { transport },
        );
        expect([until, refused.code, refused.issues[0]?.path]).toEqual([until, 'invalid_input', 'until']);
      }
      const until = isoIn(world, 85 * DAY_MS);
      const asManager = await world.call(
        'subscription.extendTrial',
        { accountId: 2, until, reason },
        world.manager,
        { transport },
      );
      expect(asManager.code).toBe('permission_denied');
      const unknown = await world.call(
        'subscription.extendTrial',
        { accountId: 999_999, until, reason },
        world.root,
        { transport },
      );
      expect(unknown.code).toBe('not_found');
    }
  });

  it('is refused during a running subscription, and replaces an ended one', async () => {
    await using world = await startSupportWorld();
    const { owner, accountId } = await openAccount(world);
    const until = isoIn(world, 30 * DAY_MS);
    for (const state of [
      { state: 'active', periodEndsAtMs: null },
      { state: 'canceled', periodEndsAtMs: world.nowMs() + DAY_MS },
    ] as const) {
      await providers(world, accountId, state);
      for (const transport of TRANSPORTS) {
        const refused = await world.call(
          'subscription.extendTrial',
          { accountId, until, reason },
          world.root,
          { transport },
        );
        expect([refused.status, refused.code]).toEqual([409, 'subscribed']);
      }
    }
    await providers(world, accountId, { state: 'canceled', periodEndsAtMs: world.nowMs() - 1 });
    expect(
      (await world.call('subscription.extendTrial', { accountId, until, reason }, world.root)).status,
    ).toBe(200);
    expect(await isActive(world, owner.email, accountId)).toEqual(['trialing', true]);
    expect(await findSubscription(world.db, accountId)).toMatchObject({ state: 'trialing', provider: null });
    await tellAgain(world, accountId);
    expect(await isActive(world, owner.email, accountId)).toEqual(['trialing', true]);
  });
});
