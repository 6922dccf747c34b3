import { createHmac } from 'node:crypto';
import Stripe from 'stripe';

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
