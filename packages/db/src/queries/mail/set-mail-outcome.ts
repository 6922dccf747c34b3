import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The outcome of a delivery. */
export type MailOutcome =
  | { state: 'sent'; atMs: number; keepsContent: boolean }
  | { state: 'pending'; dueAtMs: number; reason: string }
  | { state: 'dead'; reason: string; keepsContent: boolean };

const WITHOUT_CONTENT = { text: '', html: '' };

/**
 * Records the outcome of a claimed mail. False if it is already recorded, or if it failed and somebody else
 * has the lease. A sent mail counts as sent whoever has the lease. Content no longer needed is erased,
 * because it may contain a one-use link.
 */
export async function setMailOutcome(
  db: Database,
  { id, leaseToken }: { id: number; leaseToken: string },
  outcome: MailOutcome,
): Promise<boolean> {
  const { mailOutbox } = db.tables;
  const rows = await db.write(
    db
      .update(mailOutbox)
      .set({ leaseToken: null, leaseUntilMs: null, ...changesOf(outcome) })
      .where(
        and(
          eq(mailOutbox.id, id),
          eq(mailOutbox.state, 'pending'),
          outcome.state === 'sent' ? undefined : eq(mailOutbox.leaseToken, leaseToken),
        ),
      ),
  );
  return rows === 1;
}

function changesOf(outcome: MailOutcome) {
  switch (outcome.state) {
    case 'sent':
      return {
        state: outcome.state,
        sentAtMs: outcome.atMs,
        lastError: null,
        ...(outcome.keepsContent ? {} : WITHOUT_CONTENT),
      };
    case 'pending':
      return { dueAtMs: outcome.dueAtMs, lastError: outcome.reason };
    case 'dead':
      return {
        state: outcome.state,
        lastError: outcome.reason,
        ...(outcome.keepsContent ? {} : WITHOUT_CONTENT),
      };
  }
}
