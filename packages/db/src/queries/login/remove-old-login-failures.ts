import { and, asc, eq, lt, ne, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { startsWith } from '../text/starts-with.js';

/**
 * Removes up to `limit` counters that lock no member and have had no failure since a moment: those of unknown
 * login names, of single addresses, and those reset by a success. Returns how many were removed.
 */
export async function removeOldLoginFailures(
  db: Database,
  { unknownPrefix, beforeMs, limit }: { unknownPrefix: string; beforeMs: number; limit: number },
): Promise<number> {
  const { loginFailures } = db.tables;
  const { holder, origin, failures, lastFailureAtMs } = loginFailures;
  const isOld = lt(lastFailureAtMs, beforeMs);
  const isForgettable = or(startsWith(holder, unknownPrefix), ne(origin, ''), eq(failures, 0));
  const rows = await db
    .select({ holder, origin })
    .from(loginFailures)
    .where(and(isOld, isForgettable))
    .orderBy(asc(lastFailureAtMs))
    .limit(limit);
  let removed = 0;
  for (const row of rows) {
    removed += await db.write(
      db
        .delete(loginFailures)
        .where(and(eq(holder, row.holder), eq(origin, row.origin), isOld, isForgettable)),
    );
  }
  return removed;
}
