import { and, eq, gt, or, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareWrite } from '../prepared.js';

type Refunded = { key: string; other: string; nowMs: number };

const refund = prepareWrite<Refunded>((db) => {
  const { limits } = db.tables;
  const { key, points, expiresAtMs } = limits;
  const isRefunded = or(eq(key, given(key, 'key')), eq(key, given(key, 'other')));
  return db
    .update(limits)
    .set({ points: sql`${points} - 1` })
    .where(and(isRefunded, gt(expiresAtMs, given(expiresAtMs, 'nowMs')), gt(points, 0)));
});

/** Returns a point to each of one or two counters, for counters that only count failures. */
export async function refundLimit(
  db: Database,
  { key, other = key, nowMs }: { key: string; other?: string | undefined; nowMs: number },
): Promise<void> {
  await refund(db, { key, other, nowMs });
}
