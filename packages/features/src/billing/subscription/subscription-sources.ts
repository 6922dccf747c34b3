import type { Services } from '../../core/context.js';
import type { BillingProvider } from '../billing-provider.js';
import type { SubscriptionSource } from './subscription-source.js';
import { createWebhookSource } from './webhook-source.js';

export type SubscriptionSources = Readonly<Record<BillingProvider, SubscriptionSource>>;

/** The source of each provider's subscriptions: its API if there is a key. */
export function createSubscriptionSources({
  config,
  db,
}: Pick<Services, 'config' | 'db'>): SubscriptionSources {
  const { STRIPE_API_KEY, STRIPE_API_URL, PADDLE_API_KEY, PADDLE_API_URL } = config;
  const webhooks = createWebhookSource({ db });
  return {
    stripe:
      STRIPE_API_KEY === undefined
        ? webhooks
        : onceAsked(async () => {
            const { createStripeSource } = await import('./stripe-source.js');
            return createStripeSource({ apiKey: STRIPE_API_KEY, url: STRIPE_API_URL });
          }),
    paddle:
      PADDLE_API_KEY === undefined
        ? webhooks
        : onceAsked(async () => {
            const { createPaddleSource } = await import('./paddle-source.js');
            return createPaddleSource({ apiKey: PADDLE_API_KEY, url: PADDLE_API_URL });
          }),
  };
}

/**
 * Loads a provider's SDK at the first use: together they take a second and 40 MB, and most services never
 * need them.
 */
function onceAsked(create: () => Promise<SubscriptionSource>): SubscriptionSource {
  let source: Promise<SubscriptionSource> | undefined;
  return async (page) => {
    source ??= create();
    return (await source)(page);
  };
}
