import { listPaidSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import type { Services } from '../core/context.js';
import { providerStatus } from './account-subscription.js';
import type { BillingProvider } from './billing-event.js';
import { toProviderSubscription } from './stored-facts.js';
import type { SubscriptionSource } from './subscription-source.js';

/** Reads a customer's subscriptions from the webhooks' facts. */
function createWebhookSource({ db }: Pick<Services, 'db'>): SubscriptionSource {
  return async ({ accountId, provider, customer, after, limit }) => {
    const stored = await listPaidSubscriptions(db, {
      accountId,
      provider,
      customerId: customer.customerId,
      afterSubscriptionId: after,
      limit: limit + 1,
    });
    const page = stored.slice(0, limit);
    return {
      rows: page.flatMap((row) => {
        const { subscriptionId, facts } = toProviderSubscription(row);
        const standing = providerStatus(facts);
        return standing === undefined
          ? []
          : [{ subscriptionId, accountId, standing, snapshot: facts.snapshot?.value }];
      }),
      after: stored.length > limit ? page.at(-1)?.subscriptionId : undefined,
    };
  };
}

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
