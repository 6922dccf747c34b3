import { Paddle } from '@paddle/paddle-node-sdk';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { paddleLife } from './paddle-life.js';
import type { LifeStep } from './send-life.js';
import { signDelivery } from './send-life.js';
import { stripeLife } from './stripe-life.js';

const SECRET = 'secret-of-the-endpoint';
const life = { accountId: 1, startMs: Date.UTC(2026, 4, 1), key: 'sdk' };

const delivered = (provider: 'stripe' | 'paddle', { event }: LifeStep, secret = SECRET) =>
  signDelivery(provider, { body: JSON.stringify(event), secret, nowMs: Date.now() });

describe('a simulated delivery', () => {
  it("in the name of Stripe is accepted by Stripe's SDK, for every event of a subscription", () => {
    for (const step of stripeLife(life)) {
      const { headers, body } = delivered('stripe', step);
      const event = Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', SECRET);
      expect([event.id, event.type]).toEqual([step.id, step.type]);
    }
  });

  it("in the name of Paddle is accepted by Paddle's SDK, for every event of a subscription", async () => {
    const { webhooks } = new Paddle('unused');
    for (const step of paddleLife(life)) {
      const { headers, body } = delivered('paddle', step);
      const event = await webhooks.unmarshal(body, SECRET, headers['paddle-signature'] ?? '');
      expect([event.eventId, event.eventType]).toEqual([step.id, step.type]);
    }
  });

  it('signed with another secret is refused by the SDKs of both', async () => {
    const [stripe, paddle] = [stripeLife(life)[0], paddleLife(life)[0]];
    if (!stripe || !paddle) throw new Error('a life has events');
    const toStripe = delivered('stripe', stripe, 'another');
    const toPaddle = delivered('paddle', paddle, 'another');
    expect(() =>
      Stripe.webhooks.constructEvent(toStripe.body, toStripe.headers['stripe-signature'] ?? '', SECRET),
    ).toThrow(/signature/i);
    const { webhooks } = new Paddle('unused');
    await expect(
      webhooks.unmarshal(toPaddle.body, SECRET, toPaddle.headers['paddle-signature'] ?? ''),
    ).rejects.toThrow(/signature/i);
  });
});

describe.each([
  ['Stripe', stripeLife],
  ['Paddle', paddleLife],
])('a simulated subscription at %s', (_provider, lifeOf) => {
  it('has twenty events with ids of their own, and passes through every state', () => {
    const steps = lifeOf(life);
    expect(steps).toHaveLength(20);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(20);
    expect(new Set(steps.map(({ standing }) => standing))).toEqual(
      new Set(['trialing', 'active', 'past_due', 'paused', 'canceled']),
    );
  });
});
