import { and, asc, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The ids of connections whose tokens are due for renewal and that nobody is renewing, the longest waiting first. */
export async function listDueConnections(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number[]> {
  const { socialConnections } = db.tables;
  const { id, renewDueAtMs, leaseUntilMs } = socialConnections;
  const rows = await db
    .select({ id })
    .from(socialConnections)
    .where(and(lte(renewDueAtMs, nowMs), or(isNull(leaseUntilMs), lte(leaseUntilMs, nowMs))))
    .orderBy(asc(renewDueAtMs))
    .limit(limit);
  return rows.map((row) => row.id);
}
