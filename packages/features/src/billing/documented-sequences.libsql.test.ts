// @module-tag slow

import { paddleLife, stripeLife } from '@gatehouse/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BillingClaims, BillingEventOrigin, BillingProvider } from '../core/billing/billing-event.js';
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
const START = 1_790_000_000;
const MONTH = 30 * DAY;

type Fields = Readonly<Record<string, unknown>>;

/** Writes the events of one Stripe subscription as in Stripe's documentation: with what changed, and many in one second. */
function stripeStory() {
  const events: object[] = [];
  let subscription: Fields = {
    id: 'sub_1',
    customer: 'cus_1',
    start_date: START,
    cancel_at: null,
    cancel_at_period_end: false,
    pause_collection: null,
    latest_invoice: null,
    items: { data: [{ price: { id: 'price_team' }, current_period_end: START + MONTH }] },
    metadata: { accountId: '1' },
  };
  const tell = (type: string, created: number, data: object) =>
    events.push({
      id: `evt_${(events.length * 7) % 10}_${events.length}`,
      type,
      created,
      livemode: false,
      data,
    });
  return {
    events,
    create(created: number, fields: Fields) {
      subscription = { ...subscription, ...fields };
      tell('customer.subscription.created', created, { object: subscription });
    },
    update(created: number, fields: Fields, type = 'updated') {
      const previous = Object.fromEntries(Object.keys(fields).map((key) => [key, subscription[key]]));
      subscription = { ...subscription, ...fields };
      tell(`customer.subscription.${type}`, created, {
        object: subscription,
        previous_attributes: type === 'updated' ? previous : undefined,
      });
    },
    invoice(created: number, outcome: 'paid' | 'payment_failed', reason: string, period: number) {
      const end = START + period * MONTH;
      tell(`invoice.${outcome}`, created, {
        object: {
          id: `in_${period}`,
          customer: 'cus_1',
          billing_reason: reason,
          parent: { subscription_details: { subscription: 'sub_1', metadata: { accountId: '1' } } },
          lines: { data: [{ period: { start: end - MONTH, end } }] },
        },
      });
    },
  };
}

const period = (count: number) => ({
  items: { data: [{ price: { id: 'price_team' }, current_period_end: START + count * MONTH }] },
  latest_invoice: `in_${count}`,
});

/** Sequences of Stripe's documentation of subscriptions, and the status with which the API shows them afterwards. */
const STRIPE: Readonly<
  Record<string, { tell: (story: ReturnType<typeof stripeStory>) => void; shown: string }>
> = {
  'bought with a card, all in one second': {
    tell(story) {
      story.create(START, { status: 'incomplete', latest_invoice: 'in_1' });
      story.invoice(START, 'paid', 'subscription_create', 1);
      story.update(START, { status: 'active' });
      story.update(START, { default_payment_method: 'pm_1' });
    },
    shown: 'active',
  },
  'bought, and the first payment never made': {
    tell(story) {
      story.create(START, { status: 'incomplete', latest_invoice: 'in_1' });
      story.invoice(START, 'payment_failed', 'subscription_create', 1);
      story.update(START + DAY, { status: 'incomplete_expired' });
    },
    shown: 'abandoned',
  },
  'a trial that ends with a payment': {
    tell(story) {
      story.create(START, { status: 'trialing', latest_invoice: 'in_1' });
      story.invoice(START, 'paid', 'subscription_create', 1);
      story.update(START + MONTH, { status: 'active', ...period(2) });
      story.invoice(START + MONTH + 3600, 'paid', 'subscription_cycle', 2);
    },
    shown: 'active',
  },
  'a renewal that fails, is retried, and is given up as unpaid': {
    tell(story) {
      story.create(START, { status: 'active', latest_invoice: 'in_1' });
      story.update(START + MONTH, period(2));
      story.invoice(START + MONTH + 3600, 'payment_failed', 'subscription_cycle', 2);
      story.update(START + MONTH + 3600, { status: 'past_due' });
      story.invoice(START + MONTH + 3 * DAY, 'payment_failed', 'subscription_cycle', 2);
      story.update(START + MONTH + 9 * DAY, { status: 'unpaid' });
      story.update(START + 2 * MONTH, period(3));
      story.invoice(START + 2 * MONTH + DAY, 'paid', 'subscription_cycle', 2);
      story.invoice(START + 2 * MONTH + DAY, 'paid', 'manual', 3);
    },
    shown: 'past_due',
  },
  'a renewal that fails and is paid in the same second': {
    tell(story) {
      story.create(START, { status: 'active', latest_invoice: 'in_1' });
      story.update(START + MONTH, period(2));
      story.invoice(START + MONTH + 60, 'payment_failed', 'subscription_cycle', 2);
      story.update(START + MONTH + 60, { status: 'past_due' });
      story.update(START + MONTH + 60, { status: 'active' });
      story.invoice(START + MONTH + 60, 'paid', 'subscription_cycle', 2);
    },
    shown: 'active',
  },
  'a change of the plan whose extra payment fails': {
    tell(story) {
      story.create(START, { status: 'active', latest_invoice: 'in_1' });
      story.update(START + DAY, { pending_update: { expires_at: START + 2 * DAY }, latest_invoice: 'in_x' });
      story.invoice(START + DAY + 1, 'payment_failed', 'subscription_update', 1);
      story.update(START + 2 * DAY, { pending_update: null }, 'pending_update_expired');
    },
    shown: 'active',
  },
  'collection paused, and taken up again': {
    tell(story) {
      story.create(START, { status: 'active', latest_invoice: 'in_1' });
      story.update(START + DAY, { pause_collection: { behavior: 'void', resumes_at: null } });
      story.update(START + MONTH, period(2));
      story.update(START + MONTH + DAY, { pause_collection: null });
    },
    shown: 'active',
  },
  'a trial without a card, paused at its end and resumed in one second': {
    tell(story) {
      story.create(START, { status: 'trialing', latest_invoice: 'in_1' });
      story.update(START + MONTH, { status: 'paused' });
      story.update(START + MONTH, {}, 'paused');
      story.update(START + MONTH, { status: 'active', latest_invoice: 'in_2' });
    },
    shown: 'active',
  },
  'canceled at the end of its period, with a late payment': {
    tell(story) {
      story.create(START, { status: 'active', latest_invoice: 'in_1' });
      story.update(START + DAY, { cancel_at_period_end: true });
      story.update(START + MONTH, { status: 'canceled' }, 'deleted');
      story.invoice(START + MONTH, 'paid', 'subscription_cycle', 1);
    },
    shown: 'canceled',
  },
};

interface Reported {
  readonly claims: BillingClaims;
  readonly origin: BillingEventOrigin;
}

const READERS = { stripe: readStripeEvent, paddle: readPaddleEvent };

function toldBy(provider: BillingProvider, events: readonly object[]): Reported[] {
  return events.flatMap((event) => {
    const envelope = readWebhookEnvelope(provider, JSON.stringify(event));
    const claims = READERS[provider](event);
    return envelope && claims?.subscription ? [{ claims, origin: { provider, ...envelope } }] : [];
  });
}

/** Every event is applied to what is stored, as in the database. */
function factsAfter(reported: readonly Reported[]): SubscriptionFacts {
  return reported.reduce<SubscriptionFacts>(
    (facts, { claims: { subscription }, origin }) =>
      subscription
        ? storedSubscriptionFacts.parse(
            JSON.parse(JSON.stringify(applySubscriptionClaims(facts, subscription, origin))),
          )
        : facts,
    {},
  );
}

function anyhow(reported: readonly Reported[]) {
  return fc
    .tuple(
      fc.shuffledSubarray([...reported], { minLength: reported.length }),
      fc.array(fc.constantFrom(...reported), { maxLength: 10 }),
    )
    .map(([all, again]) => [...all, ...again]);
}

describe('the events of a Stripe subscription', () => {
  it.each(Object.entries(STRIPE))(
    'lead, in any order and repeated, to the state that Stripe shows: %s',
    (_name, { tell, shown }) => {
      const story = stripeStory();
      tell(story);
      const reported = toldBy('stripe', story.events);
      expect(reported.length).toBe(story.events.length);
      fc.assert(
        fc.property(anyhow(reported), (events) => {
          const facts = factsAfter(events);
          expect(facts.isUncertain).toBe(undefined);
          expect(providerStatus(facts) ?? 'abandoned').toBe(shown);
        }),
        { numRuns: 300 },
      );
    },
  );
});

describe.each([
  ['stripe', stripeLife],
  ['paddle', paddleLife],
] as const)('the life of a subscription at %s', (provider, life) => {
  it('leads, after each of its events, to the same state in any order and repeated', () => {
    const steps = life({ accountId: 1, startMs: START * 1000, key: 'one' });
    const ends = steps.flatMap(({ standing }, index) => {
      const reported = toldBy(
        provider,
        steps.slice(0, index + 1).map(({ event }) => event),
      );
      return reported.length === 0 ? [] : [{ reported, standing }];
    });
    fc.assert(
      fc.property(
        fc
          .constantFrom(...ends)
          .chain(({ reported, standing }) => fc.tuple(anyhow(reported), fc.constant(standing))),
        ([events, standing]) => {
          expect(providerStatus(factsAfter(events)) ?? 'trialing').toBe(standing);
        },
      ),
      { numRuns: 500 },
    );
  });
});
