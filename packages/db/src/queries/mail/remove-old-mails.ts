import { and, asc, eq, inArray, lt, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Removes up to `limit` mails written before `beforeMs` that do not wait for delivery, and `void` ones from
 * before `voidBeforeMs`. Returns how many were removed.
 */
export async function removeOldMails(
  db: Database,
  { beforeMs, voidBeforeMs, limit }: { beforeMs: number; voidBeforeMs: number; limit: number },
): Promise<number> {
  const { mailOutbox } = db.tables;
  const { id, state, createdAtMs } = mailOutbox;
  const old = await db
    .select({ id })
    .from(mailOutbox)
    .where(and(lt(createdAtMs, beforeMs), ne(state, 'pending')))
    .orderBy(asc(createdAtMs))
    .limit(limit);
  const never = await db
    .select({ id })
    .from(mailOutbox)
    .where(and(eq(state, 'void'), lt(mailOutbox.dueAtMs, voidBeforeMs)))
    .limit(limit);
  const ids = [...new Set([...old, ...never].map((row) => row.id))].sort((one, other) => one - other);
  if (ids.length === 0) return 0;
  return db.write(db.delete(mailOutbox).where(and(inArray(id, ids), ne(state, 'pending'))));
}
