import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MailRow, mailColumns } from './mail-columns.js';

/**
 * Claims up to `limit` due mails until `leaseUntilMs`, longest waiting first. Only one node claims a mail. It is
 * due again when the lease ends, so the mails of a node that dies are not lost.
 */
export async function claimMails(
  db: Database,
  claim: { leaseToken: string; leaseUntilMs: number; limit: number; nowMs: number },
): Promise<MailRow[]> {
  const { mailOutbox } = db.tables;
  const { leaseToken, leaseUntilMs, limit, nowMs } = claim;
  const isDue = and(eq(mailOutbox.state, 'pending'), lte(mailOutbox.dueAtMs, nowMs));
  const due = await db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(isDue)
    .orderBy(asc(mailOutbox.dueAtMs))
    .limit(limit);
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id).sort((one, other) => one - other);
  const claimed = await db.write(
    db
      .update(mailOutbox)
      .set({ leaseToken, leaseUntilMs, dueAtMs: leaseUntilMs, attempts: sql`${mailOutbox.attempts} + 1` })
      .where(and(inArray(mailOutbox.id, ids), isDue)),
  );
  if (claimed === 0) return [];
  return db
    .select(mailColumns(db.tables))
    .from(mailOutbox)
    .where(and(inArray(mailOutbox.id, ids), eq(mailOutbox.leaseToken, leaseToken)))
    .orderBy(asc(mailOutbox.id));
}
