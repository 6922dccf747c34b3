import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { WebhookStatus } from '../../tables/webhook-log.js';
import { type WebhookRow, webhookColumns } from './webhook-columns.js';

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
