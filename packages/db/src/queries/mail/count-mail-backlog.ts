import { count, eq, min } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The mails not yet delivered: how many, and the time of the oldest. */
export async function countMailBacklog(
  db: Database,
): Promise<{ waiting: number; oldestCreatedAtMs: number | null }> {
  const { mailOutbox } = db.tables;
  const [row] = await db
    .select({ waiting: count(), oldestCreatedAtMs: min(mailOutbox.createdAtMs) })
    .from(mailOutbox)
    .where(eq(mailOutbox.state, 'pending'));
  return { waiting: row?.waiting ?? 0, oldestCreatedAtMs: row?.oldestCreatedAtMs ?? null };
}
