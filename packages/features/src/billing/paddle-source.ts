import { AppError } from '@gatehouse/auth-core';
import { Environment, LogLevel, Paddle } from '@paddle/paddle-node-sdk';
import { type SubscriptionSource, toSourced } from '../core/billing/subscription-source.js';
import { PROVIDER_TIMEOUT_MS, withinTime } from './ask-provider.js';
import { readPaddleSubscription } from './read-paddle-event.js';

/**
 * A client of Paddle's API, without a time limit.
 * @param url the URL of the API; by default that of the key's environment
 */
export function connectPaddle({ apiKey, url }: { apiKey: string; url: string | undefined }): Paddle {
  const own = apiKey.includes('_sdbx_') ? Environment.sandbox : Environment.production;
  return new Paddle(apiKey, {
    environment: url === undefined ? own : environmentAt(url),
    logLevel: LogLevel.none,
  });
}

/** The SDK treats any text other than an environment name as the URL of the API. */
function environmentAt(url: string): Environment {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guarantee is the one stated above, and the tests page through an API at such an address
  return url as Environment;
}

const MAX_PER_PAGE = 200;

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
      perPage: Math.min(limit, MAX_PER_PAGE),
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
