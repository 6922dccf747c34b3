import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { TransactionConflictError } from '../../transaction-conflict-error.js';
import { slotOf } from '../slot.js';
import { accountsOfMembers } from './accounts-of-members.js';
import { addToCounters } from './add-to-counters.js';

/**
 * Counts up to `limit` members who were not counted yet as signed up when they were made. What marks them and what counts them
 * is one transaction, so each is counted once, with any number of nodes and crashes. Returns how many there were.
 */
export async function countSignUps(db: Database, limit: number): Promise<number> {
  const { id, createdAtMs, isCounted } = db.tables.members;
  const { members } = db.tables;
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id, createdAtMs })
      .from(members)
      .where(eq(isCounted, false))
      .orderBy(asc(id))
      .limit(limit);
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => row.id);
    const marked = await tx.write(
      tx
        .update(members)
        .set({ isCounted: true })
        .where(and(inArray(id, ids), eq(isCounted, false))),
    );
    if (marked !== ids.length) throw new TransactionConflictError();
    const accountsOf = await accountsOfMembers(tx, ids);
    const changes = rows.flatMap((row) =>
      accountsOf(row.id).map((accountId) => ({
        accountId,
        name: 'signUp' as const,
        slot: slotOf(row.createdAtMs),
        by: 1,
      })),
    );
    await addToCounters(tx, changes);
    return rows.length;
  });
}
