import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareWrite } from '../prepared.js';

const refund = prepareWrite<{ key: string; nowMs: number }>((db) => {
  const { limits } = db.tables;
  const { key, points, expiresAtMs } = limits;
  return db
    .update(limits)
    .set({ points: sql`${points} - 1` })
    .where(and(eq(key, given(key, 'key')), gt(expiresAtMs, given(expiresAtMs, 'nowMs')), gt(points, 0)));
});

/** Returns a point to its counter, for counters that only count failures. */
export async function refundLimit(
  db: Database,
  { key, nowMs }: { key: string; nowMs: number },
): Promise<void> {
  await refund(db, { key, nowMs });
}
