import { and, inArray, lte } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Removes expired rejected deliveries and duplicates, at most `limit`, and returns how many. Only they have a
 * due time after processing; stored events stay.
 */
export async function removeSpentWebhooks(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const { webhookLog } = db.tables;
  const isSpent = and(inArray(webhookLog.status, ['rejected', 'ignored']), lte(webhookLog.dueAtMs, nowMs));
  const spent = await db.select({ id: webhookLog.id }).from(webhookLog).where(isSpent).limit(limit);
  if (spent.length === 0) return 0;
  const ids = spent.map(({ id }) => id);
  return db.write(db.delete(webhookLog).where(and(inArray(webhookLog.id, ids), isSpent)));
}
