import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BillingClaims, BillingEventOrigin, ProviderStatus } from '../core/billing/billing-event.js';
import { accountSubscription, providerStatus } from './account-subscription.js';
import {
  applyCustomerClaims,
  applySubscriptionClaims,
  type CustomerFacts,
  type SubscriptionFacts,
  storedCustomerFacts,
  storedSubscriptionFacts,
} from './subscription-facts.js';

const STATUSES: ProviderStatus[] = [
  'pending',
  'trialing',
  'active',
  'past_due',
  'paused',
  'canceled',
  'abandoned',
];
const snapshotOf = (status: ProviderStatus, prices: readonly string[] = []) => ({
  status,
  prices,
  startedAtMs: null,
  periodEndsAtMs: null,
  cancelAtMs: null,
  collectionPaused: false,
});

interface Reported {
  readonly claims: BillingClaims;
  readonly origin: BillingEventOrigin;
}

const account = fc.option(
  fc.record({
    accountId: fc.integer({ min: 1, max: 3 }),
    authority: fc.constantFrom('imported' as const, 'reference' as const, 'data' as const),
  }),
  { nil: undefined },
);

/** Events of one subscription, many at the same time, each with a unique id. */
const events = fc
  .array(
    fc.record({
      atUs: fc.integer({ min: 0, max: 4 }),
      account,
      customerAccount: account,
      snapshot: fc.option(
        fc.record({ status: fc.constantFrom(...STATUSES), prices: fc.constantFrom(['a'], ['b', 'a']) }),
        { nil: undefined },
      ),
      change: fc.record({
        before: fc.constantFrom('', 'x', 'y', null),
        after: fc.constantFrom('x', 'y', null),
      }),
      payment: fc.option(
        fc.record({
          outcome: fc.constantFrom('paid' as const, 'failed' as const),
          coversUntilMs: fc.constantFrom(null, 1, 2),
        }),
        { nil: undefined },
      ),
      profile: fc.option(fc.record({ email: fc.constantFrom('a@x', 'b@x', null), name: fc.constant(null) }), {
        nil: undefined,
      }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list) =>
    list.map(
      (event, index): Reported => ({
        claims: {
          customerId: 'c',
          account: event.customerAccount,
          profile: event.profile,
          subscription: {
            subscriptionId: 's',
            account: event.account,
            snapshot: event.snapshot && snapshotOf(event.snapshot.status, event.snapshot.prices),
            change: event.change,
            payment: event.payment,
          },
        },
        origin: { provider: 'stripe', eventId: `evt_${index}`, occurredAtUs: event.atUs },
      }),
    ),
  );

const shuffledWithRepeats = events.chain((list) =>
  fc.tuple(
    fc.constant(list),
    fc
      .tuple(fc.shuffledSubarray(list, { minLength: list.length }), fc.shuffledSubarray(list))
      .map(([all, again]) => [...all, ...again]),
  ),
);

function factsAfter(reported: readonly Reported[]) {
  return reported.reduce<{ customer: CustomerFacts; subscription: SubscriptionFacts }>(
    (facts, { claims, origin }) => ({
      customer: applyCustomerClaims(facts.customer, claims, origin),
      subscription: claims.subscription
        ? applySubscriptionClaims(facts.subscription, claims.subscription, origin)
        : facts.subscription,
    }),
    { customer: {}, subscription: {} },
  );
}

describe('the facts about a subscription', () => {
  it('are the same for any order and repetition of the events', () => {
    fc.assert(
      fc.property(shuffledWithRepeats, ([inOrder, anyhow]) => {
        expect(factsAfter(anyhow)).toEqual(factsAfter(inOrder));
      }),
      { numRuns: 1000 },
    );
  });

  it('survive a round trip through JSON', () => {
    fc.assert(
      fc.property(events, (reported) => {
        const { customer, subscription } = factsAfter(reported);
        expect(storedSubscriptionFacts.parse(JSON.parse(JSON.stringify(subscription)))).toEqual(subscription);
        expect(storedCustomerFacts.parse(JSON.parse(JSON.stringify(customer)))).toEqual(customer);
      }),
    );
  });

  it('never restart a subscription that has ended', () => {
    fc.assert(
      fc.property(events, (reported) => {
        const ended: Reported = {
          claims: {
            customerId: 'c',
            subscription: { subscriptionId: 's', snapshot: snapshotOf('canceled') },
          },
          origin: { provider: 'stripe', eventId: 'evt_end', occurredAtUs: 0 },
        };
        const others = reported.filter(({ claims }) => claims.subscription?.snapshot?.status !== 'abandoned');
        expect(providerStatus(factsAfter([...others, ended]).subscription)).toBe('canceled');
      }),
    );
  });

  it('prefer the integrator’s data to an import, and either of them to the payer’s reference', () => {
    const say = (
      accountId: number,
      authority: 'imported' | 'reference' | 'data',
      occurredAtUs: number,
    ): Reported => ({
      claims: { customerId: 'c', subscription: { subscriptionId: 's', account: { accountId, authority } } },
      origin: { provider: 'paddle', eventId: `evt_${authority}`, occurredAtUs },
    });
    const owner = (...reported: Reported[]) => factsAfter(reported).subscription.account?.value;
    expect(owner(say(1, 'data', 1), say(2, 'reference', 9))).toBe(1);
    expect(owner(say(1, 'imported', 1), say(2, 'reference', 9))).toBe(1);
    expect(owner(say(1, 'data', 1), say(2, 'data', 9))).toBe(2);
  });
});

interface Case {
  snapshot?: [ProviderStatus, number];
  paid?: number;
  failed?: number;
}

function factsOf({ snapshot, paid, failed }: Case): SubscriptionFacts {
  const stamp = (atUs: number) => ({ atUs, weight: 0, rank: 0, eventId: 'evt' });
  return {
    snapshot: snapshot && { value: snapshotOf(snapshot[0]), ...stamp(snapshot[1]) },
    paid: paid === undefined ? undefined : { value: true, ...stamp(paid) },
    failed: failed === undefined ? undefined : { value: true, ...stamp(failed) },
  };
}

describe('the state of a subscription', () => {
  const cases: [string, Case, string | undefined][] = [
    ['nothing was told', {}, undefined],
    ['it was bought but never paid', { snapshot: ['pending', 1] }, undefined],
    ['its first payment failed', { snapshot: ['pending', 1], failed: 2 }, undefined],
    ['it was abandoned, whatever came later', { snapshot: ['abandoned', 1], paid: 2 }, undefined],
    ['it was paid, and the snapshot is still to come', { paid: 1 }, 'active'],
    ['it was paid, then not, and the snapshot is still to come', { paid: 1, failed: 2 }, 'past_due'],
    ['only a failure was told', { failed: 1 }, undefined],
    ['the first payment came after the snapshot', { snapshot: ['pending', 1], paid: 2 }, 'active'],
    ['it was paid again after being past due', { snapshot: ['past_due', 1], paid: 2 }, 'active'],
    ['an old payment does not cover what is due now', { snapshot: ['past_due', 3], paid: 2 }, 'past_due'],
    ['a renewal failed after the snapshot', { snapshot: ['active', 1], failed: 2 }, 'past_due'],
    ['a failure is older than the snapshot', { snapshot: ['active', 3], failed: 2 }, 'active'],
    ['of one instant, the snapshot decides', { snapshot: ['active', 2], failed: 2 }, 'active'],
    ['a free trial was invoiced', { snapshot: ['trialing', 1], paid: 2 }, 'trialing'],
    ['it is paused, whatever is paid', { snapshot: ['paused', 1], paid: 2, failed: 3 }, 'paused'],
    ['it is over, whatever is paid', { snapshot: ['canceled', 1], paid: 2 }, 'canceled'],
  ];

  it.each(cases)('when %s', (_when, given, standing) => {
    expect(providerStatus(factsOf(given))).toBe(standing);
  });
});

describe('the state of an account', () => {
  const source = (subscriptionId: string, given: Case, startedAtMs: number | null = null) => {
    const facts = factsOf(given);
    const snapshot = facts.snapshot && { ...facts.snapshot, value: { ...facts.snapshot.value, startedAtMs } };
    return { provider: 'stripe', customerId: 'c', subscriptionId, facts: { ...facts, snapshot } };
  };
  const trial = { trialEndsAtMs: 100, trialExtendedAtMs: null, nowMs: 50 };
  const spokenFor = (...sources: ReturnType<typeof source>[]) => {
    const { status, source: chosen } = accountSubscription(sources, trial);
    return [status, chosen?.subscriptionId];
  };

  it('is its trial until it ends, to the millisecond', () => {
    const at = (nowMs: number, trialEndsAtMs: number | null = 100) =>
      accountSubscription([], { ...trial, trialEndsAtMs, nowMs }).status;
    expect([at(0), at(99), at(100), at(101), at(0, null)]).toEqual([
      'trialing',
      'trialing',
      'expired',
      'expired',
      'expired',
    ]);
  });

  it('is its trial while a subscription was bought and not paid', () => {
    expect(spokenFor(source('a', { snapshot: ['pending', 1] }))).toEqual(['trialing', undefined]);
  });

  it('is its subscription from the first payment on, even when that ends within the trial', () => {
    expect(spokenFor(source('a', { snapshot: ['canceled', 1] }))).toEqual(['canceled', 'a']);
  });

  it('is the trial that staff extended, not an earlier subscription that is over', () => {
    const over = source('a', { snapshot: ['canceled', 60_000_000] }, 10);
    const standsAt = (given: { nowMs: number }, ...sources: ReturnType<typeof source>[]) => {
      const extended = { trialEndsAtMs: 100, trialExtendedAtMs: 40, ...given };
      const { status, source: chosen } = accountSubscription(sources, extended);
      return [status, chosen?.subscriptionId];
    };
    expect(standsAt({ nowMs: 50 }, over)).toEqual(['trialing', undefined]);
    expect(standsAt({ nowMs: 100 }, over)).toEqual(['canceled', 'a']);
    expect(standsAt({ nowMs: 50 }, over, source('b', { snapshot: ['canceled', 1] }, 41))).toEqual([
      'canceled',
      'b',
    ]);
    expect(standsAt({ nowMs: 50 }, over, source('c', { snapshot: ['active', 1] }, 20))).toEqual([
      'active',
      'c',
    ]);
  });

  it('is the best of several subscriptions, in any order', () => {
    const sources = [
      source('over', { snapshot: ['canceled', 9] }),
      source('due', { snapshot: ['past_due', 8] }),
      source('good', { snapshot: ['active', 1] }),
      source('paused', { snapshot: ['paused', 9] }),
    ];
    expect(spokenFor(...sources)).toEqual(['active', 'good']);
    expect(spokenFor(...sources.toReversed())).toEqual(['active', 'good']);
  });

  it('is that of the subscription that began first of two running ones, and ended last of two ended ones', () => {
    const living = [
      source('new', { snapshot: ['active', 1] }, 20),
      source('old', { snapshot: ['active', 9] }, 10),
    ];
    const ended = [
      source('early', { snapshot: ['canceled', 1] }, 20),
      source('late', { snapshot: ['canceled', 9] }, 10),
    ];
    expect([spokenFor(...living), spokenFor(...living.toReversed())]).toEqual([
      ['active', 'old'],
      ['active', 'old'],
    ]);
    expect([spokenFor(...ended), spokenFor(...ended.toReversed())]).toEqual([
      ['canceled', 'late'],
      ['canceled', 'late'],
    ]);
  });
});
