import type { Kit } from '@gatehouse/api-kit';
import type { BillingProvider } from '@gatehouse/auth-core';
import { createPaddleSource } from './paddle-source.js';
import { createStripeSource } from './stripe-source.js';
import type { SubscriptionSource } from './subscription-source.js';
import { createWebhookSource } from './webhook-source.js';

export type SubscriptionSources = Readonly<Record<BillingProvider, SubscriptionSource>>;

const known = new WeakMap<Kit, SubscriptionSources>();

/** Where the subscriptions of each provider are read: at the provider where there is a key for its API. */
export function subscriptionSources(kit: Kit): SubscriptionSources {
  const sources = known.get(kit) ?? createSources(kit);
  known.set(kit, sources);
  return sources;
}

function createSources(kit: Kit): SubscriptionSources {
  const { STRIPE_API_KEY, STRIPE_API_URL, PADDLE_API_KEY, PADDLE_API_URL } = kit.config;
  const webhooks = createWebhookSource(kit);
  return {
    stripe:
      STRIPE_API_KEY === undefined
        ? webhooks
        : createStripeSource({ apiKey: STRIPE_API_KEY, url: STRIPE_API_URL }),
    paddle:
      PADDLE_API_KEY === undefined
        ? webhooks
        : createPaddleSource({ apiKey: PADDLE_API_KEY, url: PADDLE_API_URL }),
  };
}
