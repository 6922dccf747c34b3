import type { Tables } from '../../tables/define-tables.js';
import type { WebhookStatus } from '../../tables/webhook-log.js';

/** A delivery without its body. */
export interface WebhookRow {
  id: number;
  provider: string;
  endpoint: string;
  /** Absent for a rejected delivery, so that it does not block an event id. */
  eventId: string | null;
  type: string | null;
  status: WebhookStatus;
  reason: string | null;
  attempts: number;
  bodyBytes: number;
  /** The hexadecimal SHA-256 of the whole body. */
  digest: string;
  address: string;
  occurredAtMs: number | null;
  receivedAtMs: number;
  processedAtMs: number | null;
}

/** The columns of `WebhookRow`. */
export function webhookColumns({ webhookLog }: Tables) {
  return {
    id: webhookLog.id,
    provider: webhookLog.provider,
    endpoint: webhookLog.endpoint,
    eventId: webhookLog.eventId,
    type: webhookLog.type,
    status: webhookLog.status,
    reason: webhookLog.reason,
    attempts: webhookLog.attempts,
    bodyBytes: webhookLog.bodyBytes,
    digest: webhookLog.digest,
    address: webhookLog.address,
    occurredAtMs: webhookLog.occurredAtMs,
    receivedAtMs: webhookLog.receivedAtMs,
    processedAtMs: webhookLog.processedAtMs,
  };
}
