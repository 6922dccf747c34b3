import { and, asc, inArray, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Removes up to `limit` one-time passwords that expired before `beforeMs`. Returns how many were removed. */
export async function removeOldOneTimePasswords(
  db: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { oneTimePasswords } = db.tables;
  const hasExpired = lt(oneTimePasswords.expiresAtMs, beforeMs);
  const old = await db
    .select({ id: oneTimePasswords.id })
    .from(oneTimePasswords)
    .where(hasExpired)
    .orderBy(asc(oneTimePasswords.expiresAtMs))
    .limit(limit);
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id).sort((one, other) => one - other);
  return db.write(db.delete(oneTimePasswords).where(and(inArray(oneTimePasswords.id, ids), hasExpired)));
}
