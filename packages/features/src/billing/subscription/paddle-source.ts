import { AppError } from '@gatehouse/auth-core';
import { Environment, LogLevel, Paddle, type Subscription } from '@paddle/paddle-node-sdk';
import { readPaddleSubscription } from '../read-paddle-event.js';
import { type SubscriptionSource, toSourced } from './subscription-source.js';

const TIMEOUT_MS = 8_000;
const MOST_PER_PAGE = 200;

/**
 * Reads the subscriptions of a customer from Paddle, page by page.
 * @param url where Paddle's API is; by default the one the key belongs to
 */
export function createPaddleSource({
  apiKey,
  url,
  timeoutMs = TIMEOUT_MS,
}: {
  apiKey: string;
  url: string | undefined;
  timeoutMs?: number;
}): SubscriptionSource {
  const own = apiKey.includes('_sdbx_') ? Environment.sandbox : Environment.production;
  const paddle = new Paddle(apiKey, {
    environment: url === undefined ? own : environmentAt(url),
    logLevel: LogLevel.none,
  });
  return async ({ customer, after, limit }) => {
    const collection = paddle.subscriptions.list({
      customerId: [customer.customerId],
      perPage: Math.min(limit, MOST_PER_PAGE),
      ...(after === undefined ? {} : { after }),
    });
    const page = await withinTime(collection.next(), timeoutMs).catch(asProviderFailure);
    return {
      rows: page.flatMap((subscription) => toSourced(readPaddleSubscription(asListed(subscription))) ?? []),
      after: collection.hasMore ? page.at(-1)?.id : undefined,
    };
  };
}

/** The SDK takes any text that is not the name of an environment as the address of the API. */
function environmentAt(url: string): Environment {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guarantee is the one stated above, and the tests page through an API at such an address
  return url as Environment;
}

/** The SDK waits for an answer for as long as it takes. */
async function withinTime<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The SDK renames the fields of the API; the events, which we read as well, keep them. */
function asListed(subscription: Subscription): object {
  const { currentBillingPeriod, scheduledChange } = subscription;
  return {
    id: subscription.id,
    customer_id: subscription.customerId,
    status: subscription.status,
    started_at: subscription.startedAt,
    created_at: subscription.createdAt,
    current_billing_period: currentBillingPeriod && { ends_at: currentBillingPeriod.endsAt },
    scheduled_change: scheduledChange && {
      action: scheduledChange.action,
      effective_at: scheduledChange.effectiveAt,
    },
    items: subscription.items.map(({ price }) => ({ price: { id: price.id } })),
    custom_data: subscription.customData,
  };
}

function asProviderFailure(cause: unknown): never {
  throw new AppError('provider_failed', { detail: 'paddle', cause });
}
