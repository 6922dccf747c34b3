import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Returns a point to its counter, for counters that only count failures. */
export async function refundLimit(
  db: Database,
  { key, nowMs }: { key: string; nowMs: number },
): Promise<void> {
  const { limits } = db.tables;
  await db.write(
    db
      .update(limits)
      .set({ points: sql`${limits.points} - 1` })
      .where(and(eq(limits.key, key), gt(limits.expiresAtMs, nowMs), gt(limits.points, 0))),
  );
}
