import { describe, expect, it } from 'vitest';
import { ZodError } from 'zod';
import { readPaddleEvent } from './read-paddle-event.js';
import { readStripeEvent } from './read-stripe-event.js';
import { readWebhookEnvelope } from './webhook-envelope.js';

const stripe = (type: string, object: unknown) =>
  readStripeEvent({ id: 'evt_1', type, created: 1, data: { object } });
const paddle = (type: string, data: unknown) =>
  readPaddleEvent({ event_id: 'evt_1', event_type: type, occurred_at: '2026-10-01T00:00:00Z', data });

describe('a Stripe event', () => {
  const subscription = {
    id: 'sub_1',
    customer: { id: 'cus_1', object: 'customer' },
    status: 'active',
    start_date: 100,
    cancel_at: null,
    cancel_at_period_end: true,
    items: {
      data: [
        { price: { id: 'price_1' }, current_period_end: 200 },
        { price: null, current_period_end: 300 },
      ],
    },
    metadata: { accountId: '7' },
  };

  it('contains the whole subscription', () => {
    expect(stripe('customer.subscription.updated', subscription)).toEqual({
      customerId: 'cus_1',
      subscription: {
        subscriptionId: 'sub_1',
        account: { accountId: 7, authority: 'data' },
        snapshot: {
          status: 'active',
          prices: ['price_1'],
          startedAtMs: 100_000,
          periodEndsAtMs: 300_000,
          cancelAtMs: 300_000,
          collectionPaused: false,
        },
        change: { before: null, after: expect.any(String) as string },
      },
    });
  });

  it('is read in API versions with the period on the subscription and the subscription on the invoice', () => {
    const items = { data: [{ price: { id: 'price_1' } }] };
    const old = {
      ...subscription,
      customer: 'cus_1',
      items,
      current_period_end: 400,
      cancel_at_period_end: false,
    };
    expect(stripe('customer.subscription.created', old)?.subscription?.snapshot).toMatchObject({
      periodEndsAtMs: 400_000,
      cancelAtMs: null,
    });
    expect(stripe('invoice.paid', { customer: 'cus_1', subscription: 'sub_1' })).toMatchObject({
      subscription: { subscriptionId: 'sub_1', payment: { outcome: 'paid', coversUntilMs: null } },
    });
  });

  it.each([
    ['incomplete', 'pending'],
    ['incomplete_expired', 'abandoned'],
    ['trialing', 'trialing'],
    ['active', 'active'],
    ['past_due', 'past_due'],
    ['unpaid', 'past_due'],
    ['paused', 'paused'],
    ['canceled', 'canceled'],
  ])('about a subscription that is %s says %s', (status, expected) => {
    expect(
      stripe('customer.subscription.updated', { ...subscription, status })?.subscription?.snapshot?.status,
    ).toBe(expected);
  });

  it('about a checkout names the account, by data before reference, and whether it was paid', () => {
    const session = {
      mode: 'subscription',
      payment_status: 'unpaid',
      customer: 'cus_1',
      subscription: 'sub_1',
    };
    const reported = (more: object, type = 'checkout.session.completed') =>
      stripe(type, { ...session, ...more })?.subscription;
    expect(reported({ client_reference_id: '5' })).toMatchObject({
      account: { accountId: 5, authority: 'reference' },
      payment: undefined,
    });
    expect(reported({ client_reference_id: '5', metadata: { account_id: '6' } })?.account).toEqual({
      accountId: 6,
      authority: 'data',
    });
    expect(reported({ payment_status: 'paid' })?.payment?.outcome).toBe('paid');
    expect(reported({ payment_status: 'no_payment_required' })?.payment?.outcome).toBe('paid');
    expect(reported({}, 'checkout.session.async_payment_failed')?.payment?.outcome).toBe('failed');
  });

  it.each(['0', '-1', '1.5', '07', '1e3', ' 1', '9007199254740993', '', 'x', '１'])(
    'does not treat %j as an account',
    (reference) => {
      const session = {
        mode: 'subscription',
        payment_status: 'paid',
        customer: 'cus_1',
        subscription: 'sub_1',
      };
      const reported = stripe('checkout.session.completed', { ...session, client_reference_id: reference });
      expect(reported?.subscription?.account).toBeUndefined();
    },
  );

  it('is ignored if it is not about a subscription', () => {
    expect(stripe('checkout.session.completed', { mode: 'payment', payment_status: 'paid' })).toBeUndefined();
    expect(stripe('invoice.paid', { customer: 'cus_1', parent: null })).toBeUndefined();
    expect(stripe('charge.refunded', {})).toBeUndefined();
    expect(stripe('constructor', {})).toBeUndefined();
    expect(
      readStripeEvent({ id: 'evt_1', object: 'v2.core.event', type: 'v1.billing.meter.error' }),
    ).toBeUndefined();
  });

  it('of a wrong shape is refused', () => {
    for (const object of [
      undefined,
      null,
      [],
      'sub_1',
      {},
      { ...subscription, status: 'new' },
      { ...subscription, customer: null },
    ]) {
      expect(() => stripe('customer.subscription.updated', object)).toThrow(ZodError);
    }
  });

  it('about a deleted customer makes us forget the address', () => {
    expect(stripe('customer.deleted', { id: 'cus_1', email: 'a@example.test' })?.profile).toEqual({
      email: null,
      name: null,
    });
  });

  it('about a customer with an odd name keeps what can be shown', () => {
    const { profile } =
      stripe('customer.updated', { id: 'cus_1', email: 'a@example.test', name: 'A\u0000\n\ud800B' }) ?? {};
    expect(profile?.name).toBe('A\ufffd\ufffd\ufffdB');
  });
});

describe('a Paddle event', () => {
  const subscription = {
    id: 'sub_1',
    customer_id: 'ctm_1',
    status: 'trialing',
    started_at: '2026-10-01T00:00:00.5Z',
    current_billing_period: { starts_at: '2026-10-01T00:00:00Z', ends_at: '2026-11-01T02:00:00+02:00' },
    scheduled_change: { action: 'cancel', effective_at: '2026-11-01T00:00:00.123456Z' },
    items: [{ price: { id: 'pri_1' } }],
    custom_data: { accountId: 7 },
  };

  it('contains the whole subscription', () => {
    expect(paddle('subscription.updated', subscription)).toEqual({
      customerId: 'ctm_1',
      subscription: {
        subscriptionId: 'sub_1',
        account: { accountId: 7, authority: 'data' },
        snapshot: {
          status: 'trialing',
          prices: ['pri_1'],
          startedAtMs: Date.UTC(2026, 9, 1, 0, 0, 0, 500),
          periodEndsAtMs: Date.UTC(2026, 10, 1),
          cancelAtMs: Date.UTC(2026, 10, 1, 0, 0, 0, 123),
          collectionPaused: false,
        },
      },
    });
  });

  it('does not treat a scheduled pause as the end', () => {
    const paused = {
      ...subscription,
      scheduled_change: { action: 'pause', effective_at: '2026-11-01T00:00:00Z' },
    };
    expect(paddle('subscription.updated', paused)?.subscription?.snapshot?.cancelAtMs).toBeNull();
  });

  it('about a transaction says whether a subscription was paid for', () => {
    const transaction = { customer_id: 'ctm_1', subscription_id: 'sub_1', origin: 'subscription_recurring' };
    const payment = (type: string, more: object = {}) =>
      paddle(type, { ...transaction, ...more })?.subscription?.payment?.outcome;
    expect(payment('transaction.completed')).toBe('paid');
    expect(payment('transaction.past_due')).toBe('failed');
    expect(payment('transaction.payment_failed')).toBe('failed');
    expect(payment('transaction.payment_failed', { origin: 'web' })).toBeUndefined();
    expect(paddle('transaction.completed', { ...transaction, subscription_id: null })).toBeUndefined();
    expect(paddle('transaction.created', transaction)).toBeUndefined();
  });

  it('of a wrong shape is refused', () => {
    for (const data of [
      undefined,
      null,
      [],
      {},
      { ...subscription, started_at: 'yesterday' },
      { ...subscription, status: 'new' },
    ]) {
      expect(() => paddle('subscription.updated', data)).toThrow(ZodError);
    }
  });
});

describe('the envelope of an event', () => {
  const stripeBody = (fields: object) =>
    JSON.stringify({ id: 'evt_1', type: 'a.b', created: 1_790_000_000, ...fields });
  const paddleBody = (fields: object) =>
    JSON.stringify({
      event_id: 'evt_1',
      event_type: 'a.b',
      occurred_at: '2026-09-21T13:33:20.123456Z',
      ...fields,
    });

  it('has its kind and its time, to the microsecond where the provider gives it', () => {
    expect(readWebhookEnvelope('stripe', stripeBody({}))).toEqual({
      eventId: 'evt_1',
      type: 'a.b',
      occurredAtUs: 1_790_000_000_000_000,
      isTest: false,
    });
    expect(readWebhookEnvelope('stripe', stripeBody({ livemode: true }))?.isTest).toBe(false);
    expect(readWebhookEnvelope('stripe', stripeBody({ livemode: false }))?.isTest).toBe(true);
    expect(
      readWebhookEnvelope('stripe', stripeBody({ created: '2026-09-21T13:33:20.000Z' }))?.occurredAtUs,
    ).toBe(1_789_997_600_000_000);
    expect(readWebhookEnvelope('paddle', paddleBody({}))?.occurredAtUs).toBe(1_789_997_600_123_456);
    expect(
      readWebhookEnvelope('paddle', paddleBody({ occurred_at: '2026-09-21T13:33:20Z' }))?.occurredAtUs,
    ).toBe(1_789_997_600_000_000);
  });

  it.each([
    '',
    'null',
    '[]',
    '{',
    '7',
    '"evt"',
    '['.repeat(200_000),
    stripeBody({ id: '' }),
    stripeBody({ id: 'evt 1' }),
    stripeBody({ id: 'évt' }),
    stripeBody({ id: 'e'.repeat(256) }),
    stripeBody({ id: 1 }),
    stripeBody({ type: 'a b' }),
    stripeBody({ type: '\ud800' }),
    stripeBody({ created: -1 }),
    stripeBody({ created: 1e300 }),
    stripeBody({ created: '1790000000' }),
    stripeBody({ livemode: 'false' }),
    paddleBody({}),
  ])('is not found in a body that is not an event', (body) => {
    expect(readWebhookEnvelope('stripe', body)).toBeUndefined();
  });

  it.each([
    '2026-13-01T00:00:00Z',
    '2026-09-21',
    '2026-09-21T13:33:20',
    '9999-01-01T00:00:00Z',
    'now',
    7,
    null,
  ])('is not found when the time is %j', (time) => {
    expect(readWebhookEnvelope('paddle', paddleBody({ occurred_at: time }))).toBeUndefined();
  });
});
