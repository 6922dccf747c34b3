import { count, eq, min } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The stored events not yet applied: how many, and the time of the oldest. */
export async function countWebhookBacklog(
  db: Database,
): Promise<{ waiting: number; oldestReceivedAtMs: number | null }> {
  const { webhookLog } = db.tables;
  const [row] = await db
    .select({ waiting: count(), oldestReceivedAtMs: min(webhookLog.receivedAtMs) })
    .from(webhookLog)
    .where(eq(webhookLog.status, 'received'));
  return { waiting: row?.waiting ?? 0, oldestReceivedAtMs: row?.oldestReceivedAtMs ?? null };
}
