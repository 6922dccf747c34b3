import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';

/** The state of the account's subscription after a step, when all steps arrive in order. */
export type Status = 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled';

/** One event of a subscription's life, as the provider would send it. */
export interface LifeStep {
  readonly event: object;
  /** The event's id at the provider. */
  readonly id: string;
  readonly type: string;
  readonly standing: Status;
}

export interface LifeOptions {
  /** The account that pays. */
  readonly accountId: number;
  /** The start of the life, in epoch milliseconds. Later steps follow it. */
  readonly startMs: number;
  /** Distinguishes lives, as part of every id. Letters and digits. */
  readonly key: string;
}

export const HOUR_MS = 3_600_000;

export const DAY_MS = 24 * HOUR_MS;

export const MONTH_MS = 30 * DAY_MS;

export type SimulatedProvider = 'stripe' | 'paddle';

/** A signed delivery. Send its body unchanged, with its headers. */
export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Signs a body as the provider does: Stripe's with its SDK, Paddle's by its guide.
 * @param nowMs the time in the signature, in epoch milliseconds
 */
export function signDelivery(
  provider: SimulatedProvider,
  { body, secret, nowMs }: { body: string; secret: string; nowMs: number },
): SignedDelivery {
  const timestamp = Math.floor(nowMs / 1000);
  const headers = { 'content-type': 'application/json' };
  switch (provider) {
    case 'stripe': {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
      return { headers: { ...headers, 'stripe-signature': signature }, body };
    }
    case 'paddle': {
      const digest = createHmac('sha256', secret).update(`${timestamp}:${body}`).digest('hex');
      return { headers: { ...headers, 'paddle-signature': `ts=${timestamp};h1=${digest}` }, body };
    }
  }
}

interface SendOptions {
  readonly provider: SimulatedProvider;
  /** The receiver, as http://127.0.0.1:4000/stripe_webhooks */
  readonly url: string;
  readonly secret: string;
  /** How long to wait between two deliveries. */
  readonly pauseMs: number;
  /** How often each event is delivered. */
  readonly times: number;
}

interface SentStep {
  readonly step: LifeStep;
  /** The HTTP status of each delivery. */
  readonly statuses: readonly number[];
}

/** Delivers the steps in order, each the given number of times at once, and yields the answers. */
export async function* sendLife(steps: readonly LifeStep[], options: SendOptions): AsyncGenerator<SentStep> {
  for (const step of steps) {
    const body = JSON.stringify(step.event);
    const signed = signDelivery(options.provider, { body, secret: options.secret, nowMs: Date.now() });
    const answers = await Promise.all(
      Array.from({ length: options.times }, () =>
        fetch(options.url, { method: 'POST', headers: signed.headers, body: signed.body }),
      ),
    );
    yield { step, statuses: answers.map(({ status }) => status) };
    if (options.pauseMs > 0) await pause(options.pauseMs);
  }
}
