import type { WebhookRow } from '@gatehouse/db';
import { z } from 'zod';

/** A delivery of a payment provider, without its body. */
export const webhookView = z.object({
  id: z.int(),
  provider: z.string(),
  endpoint: z.string(),
  /** The type in the body, even of a rejected delivery; null if the body has none. */
  eventId: z.string().nullable(),
  type: z.string().nullable(),
  status: z.enum(['received', 'processed', 'ignored', 'rejected', 'failed']),
  reason: z.string().nullable(),
  attempts: z.number(),
  bodyBytes: z.number(),
  digest: z.string(),
  address: z.string(),
  occurredAt: z.iso.datetime().nullable(),
  receivedAt: z.iso.datetime(),
  processedAt: z.iso.datetime().nullable(),
});

export function toWebhookView(row: WebhookRow): z.output<typeof webhookView> {
  const { occurredAtMs, receivedAtMs, processedAtMs, ...rest } = row;
  return {
    ...rest,
    occurredAt: isoOrNull(occurredAtMs),
    receivedAt: new Date(receivedAtMs).toISOString(),
    processedAt: isoOrNull(processedAtMs),
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
