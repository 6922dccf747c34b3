import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The status of a delivery. */
export type WebhookStatus = 'received' | 'processed' | 'ignored' | 'rejected' | 'failed';

/**
 * Every delivery of a payment provider, accepted or rejected; the accepted ones are the inbox of the worker.
 */
export const defineWebhookLog = (v: Vocabulary) =>
  v.table(
    'webhook_log',
    {
      id: v.id(),
      provider: v.string(32),
      endpoint: v.string(64),
      eventId: v.maybe.string(255),
      dedupeKey: v.maybe.key(320),
      type: v.maybe.string(255),
      body: v.text(),
      bodyEncoding: v.string<'utf8' | 'base64'>(8).default('utf8'),
      bodyBytes: v.integer(),
      digest: v.digest(),
      status: v.string<WebhookStatus>(16),
      reason: v.maybe.string(500),
      attempts: v.integer().default(0),
      dueAtMs: v.maybe.instant(),
      leaseToken: v.maybe.string(64),
      leaseUntilMs: v.maybe.instant(),
      address: v.string(64),
      /** The account it is about, applied or not; null before the first attempt, and where it concerns none. */
      accountId: v.maybe.reference(),
      occurredAtMs: v.maybe.instant(),
      receivedAtMs: v.instant(),
      processedAtMs: v.maybe.instant(),
    },
    [
      unique('an event of a provider is stored once; a rejected delivery has no key', 'dedupeKey'),
      index('claims the events that are due', 'status', 'dueAtMs'),
      index('removes rejected deliveries after their week, and lists one status', 'status', 'receivedAtMs'),
      index('caps the rejected deliveries kept of one address', 'address', 'receivedAtMs'),
      index('lists the deliveries of one provider', 'provider', 'id'),
      index('lists the deliveries that were applied to an account', 'accountId', 'id'),
    ],
  );
