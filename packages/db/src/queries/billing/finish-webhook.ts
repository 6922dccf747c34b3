import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { storableBeginning } from '../../storable-beginning.js';

const REASON_LENGTH = 500;

/**
 * Records the outcome of a claimed event, in the transaction of its effect. False when another worker has the
 * lease: the transaction must then stop.
 */
export async function finishWebhook(
  tx: Database,
  outcome: {
    id: number;
    leaseToken: string;
    status: 'processed' | 'ignored' | 'failed';
    reason: string | null;
    /** The account it is about. */
    accountId?: number | null;
    nowMs: number;
  },
): Promise<boolean> {
  const { webhookLog } = tx.tables;
  const { status, reason, accountId = null, nowMs } = outcome;
  const rows = await tx.write(
    tx
      .update(webhookLog)
      .set({
        status,
        accountId,
        reason: reason === null ? null : storableBeginning(reason, REASON_LENGTH),
        dueAtMs: null,
        leaseToken: null,
        leaseUntilMs: null,
        processedAtMs: nowMs,
      })
      .where(holds(webhookLog, outcome)),
  );
  return rows === 1;
}

/** Releases a claimed event, to be retried later. */
export async function postponeWebhook(
  db: Database,
  outcome: { id: number; leaseToken: string; dueAtMs: number; reason: string; accountId: number | null },
): Promise<boolean> {
  const { webhookLog } = db.tables;
  const { dueAtMs, reason, accountId } = outcome;
  const rows = await db.write(
    db
      .update(webhookLog)
      .set({
        dueAtMs,
        accountId,
        reason: storableBeginning(reason, REASON_LENGTH),
        leaseToken: null,
        leaseUntilMs: null,
      })
      .where(holds(webhookLog, outcome)),
  );
  return rows === 1;
}

function holds(
  webhookLog: Database['tables']['webhookLog'],
  { id, leaseToken }: { id: number; leaseToken: string },
) {
  return and(eq(webhookLog.id, id), eq(webhookLog.status, 'received'), eq(webhookLog.leaseToken, leaseToken));
}
