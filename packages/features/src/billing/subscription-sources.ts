import { listPaidSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import type { SubscriptionSources } from '../core/billing/billing.js';
import type { SubscriptionSource } from '../core/billing/subscription-source.js';
import type { Services } from '../core/context.js';
import { providerStatus, toProviderSubscription } from './account-subscription.js';

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
        const status = providerStatus(facts);
        return status === undefined
          ? []
          : [{ subscriptionId, accountId, status, snapshot: facts.snapshot?.value }];
      }),
      after: stored.length > limit ? page.at(-1)?.subscriptionId : undefined,
    };
  };
}

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
        : loadOnce(async () => {
            const { createStripeSource } = await import('./stripe-source.js');
            return createStripeSource({ apiKey: STRIPE_API_KEY, url: STRIPE_API_URL });
          }),
    paddle:
      PADDLE_API_KEY === undefined
        ? webhooks
        : loadOnce(async () => {
            const { createPaddleSource } = await import('./paddle-source.js');
            return createPaddleSource({ apiKey: PADDLE_API_KEY, url: PADDLE_API_URL });
          }),
  };
}

/**
 * Loads a provider's SDK at the first use: together they take a second and 40 MB, and most services never
 * need them.
 */
function loadOnce(create: () => Promise<SubscriptionSource>): SubscriptionSource {
  let source: Promise<SubscriptionSource> | undefined;
  return async (page) => {
    source ??= create();
    return (await source)(page);
  };
}
