import { AppError } from '@gatehouse/auth-core';
import { connectPaddle } from '../provider/connect-paddle.js';
import { PROVIDER_TIMEOUT_MS, withinTime } from '../provider/within-time.js';
import { readPaddleSubscription } from '../read-paddle-event.js';
import { type SubscriptionSource, toSourced } from './subscription-source.js';

const MOST_PER_PAGE = 200;

/**
 * Reads a customer's subscriptions from Paddle, page by page.
 * @param url the URL of Paddle's API; by default that of the key's environment
 */
export function createPaddleSource({
  apiKey,
  url,
  timeoutMs = PROVIDER_TIMEOUT_MS,
}: {
  apiKey: string;
  url: string | undefined;
  timeoutMs?: number;
}): SubscriptionSource {
  const paddle = connectPaddle({ apiKey, url });
  return async ({ customer, after, limit }) => {
    const collection = paddle.subscriptions.list({
      customerId: [customer.customerId],
      perPage: Math.min(limit, MOST_PER_PAGE),
      ...(after === undefined ? {} : { after }),
    });
    const page = await withinTime(collection.next(), timeoutMs).catch(asProviderFailure);
    return {
      rows: page.flatMap((subscription) => toSourced(readPaddleSubscription(subscription)) ?? []),
      after: collection.hasMore ? page.at(-1)?.id : undefined,
    };
  };
}

function asProviderFailure(cause: unknown): never {
  throw new AppError('provider_failed', { detail: 'paddle', cause });
}
