import { insertWebhook, type NewWebhook, removeSpentWebhooks } from '@gatehouse/db/queries/process-webhooks';
import { countRejectedWebhooks } from '@gatehouse/db/queries/read-webhooks';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { RejectionCaps } from '../core/billing/billing.js';
import type { Context, Services } from '../core/context.js';

/** How much of a delivery without an event is kept, and for how long. */
const KEPT_BYTES = 4096;

const KEPT_MS = 7 * 86_400_000;

type SpentDelivery = Omit<NewWebhook, 'body' | 'bodyEncoding' | 'dueAtMs' | 'dedupeKey'>;

/**
 * Logs a delivery without an event of its own (rejected or a duplicate) with the beginning of its body, for a
 * week. It has no dedupe key, so it never blocks an event.
 */
export async function recordRejected({ services }: Context, row: SpentDelivery, body: Buffer): Promise<void> {
  if (row.status === 'rejected' && (await services.billing.rejections.isCapped(row.address))) return;
  await insertWebhook(services.db, {
    ...row,
    ...printable(body.subarray(0, KEPT_BYTES)),
    dueAtMs: row.receivedAtMs + KEPT_MS,
  });
}

/** Removes expired rows. */
export const webhookRetention: Job<Services> = {
  name: 'webhook-retention',
  everyMs: 10 * 60_000,
  run: (services) => removeSpentWebhooks(services.db, { nowMs: services.now(), limit: 500 }),
};

/** The storable beginning of a body: as text if possible, else in base64. */
function printable(bytes: Buffer): Pick<NewWebhook, 'body' | 'bodyEncoding'> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    if (!text.includes('\0')) return { body: text, bodyEncoding: 'utf8' };
  } catch {
    return { body: bytes.toString('base64'), bodyEncoding: 'base64' };
  }
  return { body: bytes.toString('base64'), bodyEncoding: 'base64' };
}

/** Unauthenticated deliveries must not fill the log or the disk: above these limits they are only counted. */
const MAX_OF_ADDRESS = 500;

const MAX_IN_ALL = 5_000;

const WINDOW_MS = 3_600_000;

/** How long a node remembers a reached limit, and for how many addresses. */
const PAUSE_MS = 60_000;

const MAX_ADDRESSES = 10_000;

const EVERYBODY = '*';

export function createRejectionCaps({ db, now }: Pick<Services, 'db' | 'now'>): RejectionCaps {
  /** The time until which this node stores nothing from an address, by address. */
  const paused = new Map<string, number>();
  return {
    async isCapped(address) {
      const nowMs = now();
      if ([address, EVERYBODY].some((key) => (paused.get(key) ?? 0) > nowMs)) return true;
      const [ofAddress, inAll] = await Promise.all([
        countRejectedWebhooks(db, { address, sinceMs: nowMs - WINDOW_MS, most: MAX_OF_ADDRESS }),
        countRejectedWebhooks(db, { most: MAX_IN_ALL }),
      ]);
      const capped = inAll >= MAX_IN_ALL ? EVERYBODY : ofAddress >= MAX_OF_ADDRESS ? address : undefined;
      if (capped === undefined) return false;
      paused.delete(capped);
      paused.set(capped, nowMs + PAUSE_MS);
      const [oldest] = paused.keys();
      if (paused.size > MAX_ADDRESSES && oldest !== undefined) paused.delete(oldest);
      return true;
    },
  };
}
