import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A stored event for the holder of the lease to apply. */
export interface ClaimedWebhook {
  id: number;
  provider: string;
  endpoint: string;
  eventId: string | null;
  body: string;
  /** How often it was claimed, including this time. */
  attempts: number;
}

/**
 * Claims due events, the longest due first. A conditional update decides between workers. The lease end
 * becomes the new due time, so the events of a worker that dies become due again.
 */
export async function claimWebhooks(
  db: Database,
  {
    leaseToken,
    nowMs,
    leaseMs,
    limit,
  }: { leaseToken: string; nowMs: number; leaseMs: number; limit: number },
): Promise<ClaimedWebhook[]> {
  const { webhookLog } = db.tables;
  const isDue = and(eq(webhookLog.status, 'received'), lte(webhookLog.dueAtMs, nowMs));
  const due = await db
    .select({ id: webhookLog.id })
    .from(webhookLog)
    .where(isDue)
    .orderBy(asc(webhookLog.dueAtMs))
    .limit(limit);
  if (due.length === 0) return [];
  const ids = due.map((row) => row.id);
  const { id, provider, endpoint, eventId, body, attempts } = webhookLog;
  await db.write(
    db
      .update(webhookLog)
      .set({
        leaseToken,
        leaseUntilMs: nowMs + leaseMs,
        dueAtMs: nowMs + leaseMs,
        attempts: sql`${attempts} + 1`,
      })
      .where(and(inArray(id, ids), isDue)),
  );
  return db
    .select({ id, provider, endpoint, eventId, body, attempts })
    .from(webhookLog)
    .where(and(inArray(id, ids), eq(webhookLog.leaseToken, leaseToken), eq(webhookLog.status, 'received')))
    .orderBy(asc(id));
}
