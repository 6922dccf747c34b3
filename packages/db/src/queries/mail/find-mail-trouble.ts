import { and, count, desc, eq, isNotNull, min } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Mails waiting after a failed attempt: how many, the time of the oldest, and the newest one's failure. */
export async function findMailTrouble(
  db: Database,
): Promise<{ waiting: number; oldestCreatedAtMs: number; lastError: string } | undefined> {
  const { mailOutbox } = db.tables;
  const { id, state, lastError, createdAtMs } = mailOutbox;
  const wereTried = and(eq(state, 'pending'), isNotNull(lastError));
  const [newest] = await db
    .select({ lastError })
    .from(mailOutbox)
    .where(wereTried)
    .orderBy(desc(id))
    .limit(1);
  if (newest === undefined) return undefined;
  const [row] = await db
    .select({ waiting: count(), oldest: min(createdAtMs) })
    .from(mailOutbox)
    .where(wereTried);
  return {
    waiting: row?.waiting ?? 0,
    oldestCreatedAtMs: row?.oldest ?? 0,
    lastError: newest.lastError ?? '',
  };
}
