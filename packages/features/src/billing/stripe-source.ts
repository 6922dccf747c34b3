import { AppError } from '@gatehouse/auth-core';
import Stripe from 'stripe';
import { type SubscriptionSource, toSourced } from '../core/billing/subscription-source.js';
import { PROVIDER_TIMEOUT_MS } from './ask-provider.js';
import { readStripeSubscription } from './read-stripe-event.js';

/**
 * A client of Stripe's API with a time limit.
 * @param url the URL of the API
 */
export function connectStripe({
  apiKey,
  url,
  timeoutMs,
}: {
  apiKey: string;
  url: string;
  timeoutMs: number;
}): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const isPlain = protocol === 'http:';
  return new Stripe(apiKey, {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

const MAX_PER_PAGE = 100;

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
        limit: Math.min(limit, MAX_PER_PAGE),
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
