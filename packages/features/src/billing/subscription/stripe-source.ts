import { AppError } from '@gatehouse/auth-core';
import { connectStripe } from '../provider/connect-stripe.js';
import { PROVIDER_TIMEOUT_MS } from '../provider/within-time.js';
import { readStripeSubscription } from '../read-stripe-event.js';
import { type SubscriptionSource, toSourced } from './subscription-source.js';

const MOST_PER_PAGE = 100;

/**
 * Reads a customer's subscriptions from Stripe, page by page.
 * @param url the URL of Stripe's API
 */
export function createStripeSource({
  apiKey,
  url,
  timeoutMs = PROVIDER_TIMEOUT_MS,
}: {
  apiKey: string;
  url: string;
  timeoutMs?: number;
}): SubscriptionSource {
  const stripe = connectStripe({ apiKey, url, timeoutMs });
  return async ({ customer, after, limit }) => {
    const page = await stripe.subscriptions
      .list({
        customer: customer.customerId,
        status: 'all',
        limit: Math.min(limit, MOST_PER_PAGE),
        ...(after === undefined ? {} : { starting_after: after }),
      })
      .catch(asProviderFailure);
    return {
      rows: page.data.flatMap((subscription) => toSourced(readStripeSubscription(subscription)) ?? []),
      after: page.has_more ? page.data.at(-1)?.id : undefined,
    };
  };
}

function asProviderFailure(cause: unknown): never {
  throw new AppError('provider_failed', { detail: 'stripe', cause });
}
