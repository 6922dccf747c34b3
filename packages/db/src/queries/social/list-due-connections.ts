import { and, asc, eq, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * The ids of connections due for renewal that nobody is renewing, longest waiting first. Connections of deleted
 * members are skipped.
 */
export async function listDueConnections(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number[]> {
  const { members, socialConnections } = db.tables;
  const { id, memberId, renewDueAtMs, leaseUntilMs } = socialConnections;
  const rows = await db
    .select({ id })
    .from(socialConnections)
    .innerJoin(members, and(eq(members.id, memberId), eq(members.isDeleted, false)))
    .where(and(lte(renewDueAtMs, nowMs), or(isNull(leaseUntilMs), lte(leaseUntilMs, nowMs))))
    .orderBy(asc(renewDueAtMs))
    .limit(limit);
  return rows.map((row) => row.id);
}
