import { listPaidSubscriptions } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { providerStanding } from '../account-subscription.js';
import { toProviderSubscription } from '../to-provider-subscription.js';
import type { SubscriptionSource } from './subscription-source.js';

/** Reads a customer's subscriptions from the webhooks' facts. */
export function createWebhookSource({ db }: Pick<Services, 'db'>): SubscriptionSource {
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
        const standing = providerStanding(facts);
        return standing === undefined
          ? []
          : [{ subscriptionId, accountId, standing, snapshot: facts.snapshot?.value }];
      }),
      after: stored.length > limit ? page.at(-1)?.subscriptionId : undefined,
    };
  };
}
