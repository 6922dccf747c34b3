import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SecurityOutcome } from '../../tables/security-events.js';
import type { StatisticName } from '../../tables/statistic-counters.js';
import { TransactionConflictError } from '../../transaction-conflict-error.js';
import { slotOf } from '../slot.js';
import { accountsOfMembers } from './accounts-of-members.js';
import { addToCounters } from './add-to-counters.js';

const NAMES: Readonly<Record<SecurityOutcome, StatisticName>> = {
  ok: 'loginOk',
  failed: 'loginFailed',
  locked: 'loginLocked',
};

/**
 * Counts up to `limit` sign-ins that were not counted yet, refused ones as often as they were, or those of one member. Each is
 * counted once. Returns how many events there were.
 */
export async function countLogins(db: Database, limit: number, memberId?: number): Promise<number> {
  const { securityEvents } = db.tables;
  const { id, isCounted, times, countedTimes } = securityEvents;
  return db.transaction(async (tx) => {
    const uncounted = await tx
      .select({ id })
      .from(securityEvents)
      .where(
        and(eq(isCounted, false), memberId === undefined ? undefined : eq(securityEvents.memberId, memberId)),
      )
      .orderBy(asc(id))
      .limit(limit);
    if (uncounted.length === 0) return 0;
    const ids = uncounted.map((row) => row.id);
    const marked = await tx.write(
      tx
        .update(securityEvents)
        .set({ isCounted: true })
        .where(and(inArray(id, ids), eq(isCounted, false))),
    );
    if (marked !== ids.length) throw new TransactionConflictError();
    // The rows are locked now, so nothing is added to them meanwhile.
    const rows = await tx
      .select({
        memberId: securityEvents.memberId,
        atMs: securityEvents.atMs,
        kind: securityEvents.kind,
        outcome: securityEvents.outcome,
        by: sql<number>`${times} - ${countedTimes}`.mapWith(Number),
      })
      .from(securityEvents)
      .where(inArray(id, ids));
    await tx.write(
      tx
        .update(securityEvents)
        .set({ countedTimes: sql`${times}` })
        .where(inArray(id, ids)),
    );
    const logins = rows.filter(({ kind }) => kind === 'login');
    const accountsOf = await accountsOfMembers(
      tx,
      logins.map((row) => row.memberId),
    );
    const changes = logins.flatMap(({ outcome, atMs, by, memberId: whose }) =>
      accountsOf(whose).map((accountId) => ({ accountId, name: NAMES[outcome], slot: slotOf(atMs), by })),
    );
    await addToCounters(tx, changes);
    return ids.length;
  });
}
