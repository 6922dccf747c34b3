import { and, asc, eq, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { slotOf } from '../slot.js';

/** Removes up to `limit` counters of before a moment. Returns how many were removed. */
export async function removeOldCounters(
  db: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { statisticCounters } = db.tables;
  const { accountId, name, slot } = statisticCounters;
  const old = await db
    .select({ accountId, name, slot })
    .from(statisticCounters)
    .where(lt(slot, slotOf(beforeMs)))
    .orderBy(asc(slot))
    .limit(limit);
  for (const row of old)
    await db.write(
      db
        .delete(statisticCounters)
        .where(and(eq(accountId, row.accountId), eq(name, row.name), eq(slot, row.slot))),
    );
  return old.length;
}
