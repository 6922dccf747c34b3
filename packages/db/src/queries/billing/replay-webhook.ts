import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Makes a processed event due again. False for rejected deliveries and duplicates, which have no event, and
 * for events that are still waiting.
 */
export async function replayWebhook(
  tx: Database,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<boolean> {
  const { webhookLog } = tx.tables;
  const rows = await tx.write(
    tx
      .update(webhookLog)
      .set({ status: 'received', attempts: 0, dueAtMs: nowMs, reason: null, processedAtMs: null })
      .where(
        and(
          eq(webhookLog.id, id),
          inArray(webhookLog.status, ['processed', 'ignored', 'failed']),
          isNotNull(webhookLog.dedupeKey),
        ),
      ),
  );
  return rows === 1;
}
