import { and, count, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { WebhookStatus } from '../tables/billing-tables.js';
import type { Tables } from '../tables/define-tables.js';
import { countUpTo } from './paging.js';
import { prepareRead } from './prepared.js';

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
function webhookColumns({ webhookLog }: Tables) {
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

/** A delivery with its body. The body of a rejected one is cut after 4 kB. */
export interface WebhookWithBody extends WebhookRow {
  /** The account whose payments it is about, once that is known. */
  accountId: number | null;
  body: string;
  bodyEncoding: 'utf8' | 'base64';
}

export async function findWebhook(db: Database, id: number): Promise<WebhookWithBody | undefined> {
  const { webhookLog } = db.tables;
  const [row] = await db
    .select({
      ...webhookColumns(db.tables),
      accountId: webhookLog.accountId,
      body: webhookLog.body,
      bodyEncoding: webhookLog.bodyEncoding,
    })
    .from(webhookLog)
    .where(eq(webhookLog.id, id));
  return row;
}

/** The deliveries, newest first, without their bodies; `beforeId` pages on. */
export async function listWebhooks(
  db: Database,
  page: {
    limit: number;
    beforeId?: number | undefined;
    provider?: string | undefined;
    status?: WebhookStatus | undefined;
  },
): Promise<WebhookRow[]> {
  const { webhookLog } = db.tables;
  const { limit, beforeId, provider, status } = page;
  return db
    .select(webhookColumns(db.tables))
    .from(webhookLog)
    .where(
      and(
        beforeId === undefined ? undefined : lt(webhookLog.id, beforeId),
        provider === undefined ? undefined : eq(webhookLog.provider, provider),
        status === undefined ? undefined : eq(webhookLog.status, status),
      ),
    )
    .orderBy(desc(webhookLog.id))
    .limit(limit);
}

const preparedWebhooks = prepareRead(selectWebhooksOfAccount);

/** The select of the newest deliveries that are about an account. */
export function selectWebhooksOfAccount(db: Database) {
  const { webhookLog } = db.tables;
  return db
    .select(webhookColumns(db.tables))
    .from(webhookLog)
    .where(eq(webhookLog.accountId, sql.placeholder('accountId')))
    .orderBy(desc(webhookLog.id))
    .limit(sql.placeholder('limit'));
}

/** The newest deliveries that are about an account. */
export function listWebhooksOfAccount(db: Database, accountId: number, limit: number): Promise<WebhookRow[]> {
  return preparedWebhooks(db, { accountId, limit });
}

/** How many there are, at most `MAX_COUNTED`. */
export function countWebhooksOfAccount(db: Database, accountId: number): Promise<number> {
  const { webhookLog } = db.tables;
  return countUpTo(db, webhookLog, eq(webhookLog.accountId, accountId));
}

/**
 * How many rejected deliveries are stored, optionally of one address or since a time. Counts up to `most`
 * only.
 */
export async function countRejectedWebhooks(
  db: Database,
  { address, sinceMs, most }: { address?: string; sinceMs?: number; most: number },
): Promise<number> {
  const { webhookLog } = db.tables;
  const kept = db
    .select({ id: webhookLog.id })
    .from(webhookLog)
    .where(
      and(
        eq(webhookLog.status, 'rejected'),
        address === undefined ? undefined : eq(webhookLog.address, address),
        sinceMs === undefined ? undefined : gte(webhookLog.receivedAtMs, sinceMs),
      ),
    )
    .limit(most)
    .as('kept');
  const [row] = await db.select({ rows: count() }).from(kept);
  return row?.rows ?? 0;
}
