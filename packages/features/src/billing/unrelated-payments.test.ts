import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerStatus } from './account-subscription.js';
import { readPaddleEvent } from './read-paddle-event.js';
import { readStripeEvent } from './read-stripe-event.js';
import {
  applySubscriptionClaims,
  type SubscriptionFacts,
  storedSubscriptionFacts,
} from './subscription-facts.js';
import { readWebhookEnvelope } from './webhook-envelope.js';

const DAY = 86_400;
const NOW = 1_790_000_000;
const PERIOD_END = NOW + 20 * DAY;

const stripe = (id: string, created: number, type: string, object: object, previous?: object) => ({
  id,
  type,
  created,
  livemode: false,
  data: previous === undefined ? { object } : { object, previous_attributes: previous },
});

const subscription = (fields: object = {}) => ({
  id: 'sub_1',
  object: 'subscription',
  customer: 'cus_1',
  status: 'active',
  start_date: NOW - 90 * DAY,
  latest_invoice: 'in_3',
  items: { data: [{ price: { id: 'price_team' }, current_period_end: PERIOD_END }] },
  metadata: { accountId: '1' },
  ...fields,
});

const invoice = (fields: object = {}) => ({
  id: 'in_3',
  object: 'invoice',
  customer: 'cus_1',
  billing_reason: 'subscription_cycle',
  parent: { subscription_details: { subscription: 'sub_1', metadata: { accountId: '1' } } },
  lines: { data: [{ period: { start: PERIOD_END - 30 * DAY, end: PERIOD_END } }] },
  ...fields,
});

const paddle = (id: string, atSeconds: number, type: string, data: object) => ({
  event_id: id,
  event_type: type,
  occurred_at: new Date(atSeconds * 1000).toISOString(),
  data,
});

const paddleSubscription = (fields: object = {}) => ({
  id: 'sub_1',
  customer_id: 'ctm_1',
  status: 'active',
  current_billing_period: {
    starts_at: new Date((PERIOD_END - 30 * DAY) * 1000).toISOString(),
    ends_at: new Date(PERIOD_END * 1000).toISOString(),
  },
  custom_data: { accountId: '1' },
  ...fields,
});

const transaction = (fields: object = {}) => ({
  id: 'txn_1',
  customer_id: 'ctm_1',
  subscription_id: 'sub_1',
  origin: 'subscription_recurring',
  custom_data: { accountId: '1' },
  ...fields,
});

/** What is known of `sub_1` once these events came, each stored and read again. */
function factsAfter(provider: 'stripe' | 'paddle', events: readonly object[]): SubscriptionFacts {
  const read = provider === 'stripe' ? readStripeEvent : readPaddleEvent;
  return events.reduce<SubscriptionFacts>((facts, event) => {
    const envelope = readWebhookEnvelope(provider, JSON.stringify(event));
    if (envelope === undefined) throw new Error('no event');
    const reported = read(event)?.subscription;
    if (reported === undefined || reported.subscriptionId !== 'sub_1') return facts;
    const next = applySubscriptionClaims(facts, reported, { provider, ...envelope });
    return storedSubscriptionFacts.parse(JSON.parse(JSON.stringify(next)));
  }, {});
}

/** The state after the events in each order; undefined where the provider has to be asked. */
function standings(provider: 'stripe' | 'paddle', events: readonly object[]): unknown[] {
  const found = new Set<unknown>();
  fc.assert(
    fc.property(fc.shuffledSubarray([...events], { minLength: events.length }), (shuffled) => {
      const facts = factsAfter(provider, shuffled);
      found.add(facts.isUncertain === true ? 'asks the provider' : providerStatus(facts));
    }),
    { numRuns: 60, seed: 1 },
  );
  return [...found];
}

const updated = 'customer.subscription.updated';
const unpaid = stripe('evt_1', NOW - 30 * DAY, updated, subscription({ status: 'unpaid' }));
const active = stripe('evt_1', NOW - DAY, updated, subscription());

describe('a Stripe subscription that was not paid', () => {
  it.each([
    [
      'an invoice over a usage threshold is paid',
      'invoice.paid',
      invoice({ billing_reason: 'subscription_threshold' }),
    ],
    [
      'a hand-written invoice is reported by the other name of a payment',
      'invoice.payment_succeeded',
      invoice({ billing_reason: 'manual' }),
    ],
    ['a simulated invoice is paid', 'invoice.paid', invoice({ billing_reason: 'upcoming' })],
    [
      'an automatic invoice of pending items is paid',
      'invoice.paid',
      invoice({ billing_reason: 'automatic_pending_invoice_item_invoice' }),
    ],
    [
      'the first invoice of long ago is paid',
      'invoice.paid',
      invoice({
        billing_reason: 'subscription_create',
        lines: { data: [{ period: { start: NOW - 90 * DAY, end: NOW - 60 * DAY } }] },
      }),
    ],
    [
      'an invoice in the older form is paid by hand',
      'invoice.paid',
      { ...invoice({ billing_reason: 'manual' }), parent: undefined, subscription: 'sub_1' },
    ],
    ['an invoice is voided', 'invoice.voided', invoice()],
    ['an invoice is given up as uncollectible', 'invoice.marked_uncollectible', invoice()],
    [
      'a single charge of its customer succeeds',
      'charge.succeeded',
      { id: 'ch_1', object: 'charge', customer: 'cus_1', paid: true },
    ],
    [
      'a payment intent of its customer succeeds',
      'payment_intent.succeeded',
      { id: 'pi_1', object: 'payment_intent', customer: 'cus_1' },
    ],
    [
      'the invoice of the subscription that it replaced is paid',
      'invoice.paid',
      invoice({ parent: { subscription_details: { subscription: 'sub_0', metadata: { accountId: '1' } } } }),
    ],
    [
      'a checkout of a single payment is paid',
      'checkout.session.completed',
      {
        mode: 'payment',
        payment_status: 'paid',
        customer: 'cus_1',
        subscription: null,
        client_reference_id: '1',
      },
    ],
    [
      'a checkout saves another card',
      'checkout.session.completed',
      { mode: 'setup', payment_status: 'no_payment_required', customer: 'cus_1', subscription: 'sub_1' },
    ],
  ])('stays past due when %s', (_what, type, object) => {
    expect(standings('stripe', [unpaid, stripe('evt_2', NOW - 60, type, object)])).toEqual(['past_due']);
  });

  it('is active again when the invoice of its period is paid, even if another line of it concerns the past', () => {
    const lines = {
      data: [
        { period: { start: NOW - 60 * DAY, end: NOW - 30 * DAY } },
        { period: { start: PERIOD_END - 30 * DAY, end: PERIOD_END } },
      ],
    };
    expect(
      standings('stripe', [unpaid, stripe('evt_2', NOW - 60, 'invoice.paid', invoice({ lines }))]),
    ).toEqual(['active']);
  });
});

describe('an active Stripe subscription', () => {
  it.each([
    [
      'an invoice over a usage threshold fails',
      'invoice.payment_failed',
      invoice({ billing_reason: 'subscription_threshold' }),
    ],
    [
      'a change of the plan needs an action of the customer',
      'invoice.payment_action_required',
      invoice({ billing_reason: 'subscription_update' }),
    ],
    [
      'a change of the plan cannot be invoiced',
      'invoice.finalization_failed',
      invoice({ billing_reason: 'subscription_update' }),
    ],
    [
      'an earlier period is tried once more and fails',
      'invoice.payment_failed',
      invoice({ lines: { data: [{ period: { start: NOW - 90 * DAY, end: NOW - 60 * DAY } }] } }),
    ],
    ['a quote fails', 'invoice.payment_failed', invoice({ billing_reason: 'quote_accept' })],
    [
      'the invoice of the subscription that it replaced fails',
      'invoice.payment_failed',
      invoice({ parent: { subscription_details: { subscription: 'sub_0', metadata: {} } } }),
    ],
    ['a charge of its customer fails', 'charge.failed', { id: 'ch_1', object: 'charge', customer: 'cus_1' }],
    ['a pending change is applied', 'customer.subscription.pending_update_applied', subscription()],
  ])('stays active when %s', (_what, type, object) => {
    expect(standings('stripe', [active, stripe('evt_2', NOW - 60, type, object)])).toEqual(['active']);
  });

  it('is past due when the invoice of its period fails', () => {
    expect(
      standings('stripe', [active, stripe('evt_2', NOW - 60, 'invoice.payment_failed', invoice())]),
    ).toEqual(['past_due']);
  });
});

describe('a Paddle subscription', () => {
  it.each([
    'api',
    'subscription_charge',
    'subscription_update',
    'subscription_payment_method_change',
    'an_origin_of_tomorrow',
  ])('is not changed by paid or failed transactions of the origin %s', (origin) => {
    const late = paddle(
      'evt_1',
      NOW - 30 * DAY,
      'subscription.past_due',
      paddleSubscription({ status: 'past_due' }),
    );
    const paid = (type: string) => paddle('evt_2', NOW - 60, type, transaction({ origin }));
    for (const type of ['transaction.paid', 'transaction.completed'])
      expect([type, standings('paddle', [late, paid(type)])]).toEqual([type, ['past_due']]);
    const good = paddle('evt_1', NOW - DAY, 'subscription.updated', paddleSubscription());
    for (const type of ['transaction.payment_failed', 'transaction.past_due'])
      expect([type, standings('paddle', [good, paid(type)])]).toEqual([type, ['active']]);
  });

  it('stays past due when a renewal of an earlier period is paid', () => {
    const late = paddle(
      'evt_1',
      NOW - 30 * DAY,
      'subscription.past_due',
      paddleSubscription({ status: 'past_due' }),
    );
    const billing_period = {
      starts_at: new Date((NOW - 90 * DAY) * 1000).toISOString(),
      ends_at: new Date((NOW - 60 * DAY) * 1000).toISOString(),
    };
    const paid = paddle('evt_2', NOW - 60, 'transaction.completed', transaction({ billing_period }));
    expect(standings('paddle', [late, paid])).toEqual(['past_due']);
  });

  it('stays active until a scheduled pause, and is then paused', () => {
    const scheduled = paddleSubscription({
      scheduled_change: { action: 'pause', effective_at: new Date(PERIOD_END * 1000).toISOString() },
    });
    const reported = [paddle('evt_1', NOW - DAY, 'subscription.updated', scheduled)];
    expect(standings('paddle', reported)).toEqual(['active']);
    const paused = paddleSubscription({ status: 'paused', current_billing_period: null });
    expect(standings('paddle', [...reported, paddle('evt_2', NOW, 'subscription.paused', paused)])).toEqual([
      'paused',
    ]);
  });
});

describe('collection paused at Stripe', () => {
  it.each([
    ['trialing', 'trialing'],
    ['past_due', 'past_due'],
    ['unpaid', 'past_due'],
    ['canceled', 'canceled'],
  ])('is shown beside the state of a subscription that is %s', (status, standing) => {
    const paused = subscription({
      status,
      pause_collection: { behavior: 'keep_as_draft', resumes_at: NOW + DAY },
    });
    const facts = factsAfter('stripe', [stripe('evt_1', NOW, updated, paused)]);
    expect([providerStatus(facts), facts.snapshot?.value.collectionPaused]).toEqual([standing, true]);
  });
});

describe('events of the same second', () => {
  const chain = (...states: readonly (readonly [id: string, fields: object, previous: object])[]) =>
    states.map(([id, fields, previous]) => stripe(id, NOW, updated, subscription(fields), previous));

  it('give the state of the last of four successive changes', () => {
    const events = chain(
      [
        'evt_d',
        { status: 'past_due', latest_invoice: 'in_4', cancel_at_period_end: false },
        { status: 'active', latest_invoice: 'in_3' },
      ],
      [
        'evt_b',
        { status: 'past_due', latest_invoice: 'in_4', cancel_at_period_end: true },
        { cancel_at_period_end: false },
      ],
      [
        'evt_c',
        { status: 'active', latest_invoice: 'in_4', cancel_at_period_end: true },
        { status: 'past_due' },
      ],
      [
        'evt_a',
        {
          status: 'active',
          latest_invoice: 'in_4',
          default_payment_method: 'pm_1',
          cancel_at_period_end: true,
        },
        { default_payment_method: null },
      ],
    );
    const first = stripe('evt_0', NOW - DAY, updated, subscription({ cancel_at_period_end: false }));
    expect(standings('stripe', [first, ...events])).toEqual(['active']);
  });

  it.each([
    ['evt_a', 'evt_b'],
    ['evt_b', 'evt_a'],
  ])('give an ended subscription for a deletion beside an update, with the ids %s and %s', (one, two) => {
    const reported = [
      stripe(one, NOW, updated, subscription({ cancel_at_period_end: true }), {
        cancel_at_period_end: false,
      }),
      stripe(two, NOW, 'customer.subscription.deleted', subscription({ status: 'canceled' })),
    ];
    expect(standings('stripe', reported)).toEqual(['canceled']);
  });

  it.each([
    ['evt_a', 'evt_b'],
    ['evt_b', 'evt_a'],
  ])('start with the creation beside an update, with the ids %s and %s', (one, two) => {
    const reported = [
      stripe(one, NOW, 'customer.subscription.created', subscription({ status: 'incomplete' })),
      stripe(two, NOW, updated, subscription(), { status: 'incomplete' }),
    ];
    expect(standings('stripe', reported)).toEqual(['active']);
  });

  it.each([
    ['evt_a', 'evt_b'],
    ['evt_b', 'evt_a'],
  ])('give the plan that was changed to, with the ids %s and %s', (one, two) => {
    const items = (price: string) => ({
      data: [{ id: 'si_1', price: { id: price }, current_period_end: PERIOD_END }],
    });
    const reported = [
      stripe(one, NOW, updated, subscription({ items: items('price_team') }), { metadata: {} }),
      stripe(two, NOW, updated, subscription({ items: items('price_business') }), {
        items: items('price_team'),
      }),
    ];
    for (const events of [reported, reported.toReversed()])
      expect(factsAfter('stripe', events).snapshot?.value.prices).toEqual(['price_business']);
  });
});
