import { and, count, eq, gte } from 'drizzle-orm';
import type { Database } from '../../database.js';

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
