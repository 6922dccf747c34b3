import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import { TransactionConflictError } from '../database-errors.js';
import { inIds } from './paging.js';
import { accountsOfMembers, addToCounters, type CounterChange, slotOf } from './statistic-counters.js';

/**
 * Moves the members of up to `limit` sessions used since a moment from the counter of when they were last seen to the present
 * one. So the counters from a moment on add up to the members seen since, each once. Returns how many sessions there were.
 */
export async function countSeenMembers(db: Database, limit: number): Promise<number> {
  const { sessions } = db.tables;
  const { id, isCounted, memberId, lastSeenAtMs } = sessions;
  return db.transaction(async (tx) => {
    const uncounted = await tx
      .select({ id })
      .from(sessions)
      .where(eq(isCounted, false))
      .orderBy(asc(id))
      .limit(limit);
    if (uncounted.length === 0) return 0;
    const ids = uncounted.map((row) => row.id);
    const marked = await tx.write(
      tx
        .update(sessions)
        .set({ isCounted: true })
        .where(and(inArray(id, ids), eq(isCounted, false))),
    );
    if (marked !== ids.length) throw new TransactionConflictError();
    // Staff who act for a member are not the member.
    const isOwn = and(inArray(id, ids), isNull(sessions.impersonationId));
    const rows = await tx.select({ memberId, lastSeenAtMs }).from(sessions).where(isOwn);
    const seen = new Map<number, number>();
    for (const row of rows)
      seen.set(row.memberId, Math.max(slotOf(row.lastSeenAtMs), seen.get(row.memberId) ?? 0));
    await addToCounters(tx, await moveSeen(tx, seen));
    return ids.length;
  });
}

/** Forgets when a member was seen, as if they never had been. */
export async function forgetSeenMember(tx: Database, memberId: number): Promise<void> {
  const { seenMembers } = tx.tables;
  const rows = await tx.select().from(seenMembers).where(eq(seenMembers.memberId, memberId));
  await tx.write(tx.delete(seenMembers).where(eq(seenMembers.memberId, memberId)));
  await addToCounters(
    tx,
    rows.map(({ accountId, slot }) => ({ accountId, name: 'seen', slot, by: -1 })),
  );
}

async function moveSeen(tx: Database, seen: ReadonlyMap<number, number>): Promise<CounterChange[]> {
  const { seenMembers } = tx.tables;
  const memberIds = [...seen.keys()].toSorted((one, other) => one - other);
  const accountsOf = await accountsOfMembers(tx, memberIds);
  const known = new Map(
    (
      await tx
        .select()
        .from(seenMembers)
        .where(inIds(tx, seenMembers.memberId, memberIds))
    ).map((row) => [`${row.memberId} ${row.accountId}`, row.slot]),
  );
  const changes: CounterChange[] = [];
  for (const memberId of memberIds) {
    const slot = seen.get(memberId) ?? 0;
    for (const accountId of accountsOf(memberId)) {
      const before = known.get(`${memberId} ${accountId}`);
      if (before !== undefined && before >= slot) continue;
      if (!(await setSlot(tx, { memberId, accountId, slot }, before))) throw new TransactionConflictError();
      if (before !== undefined) changes.push({ accountId, name: 'seen', slot: before, by: -1 });
      changes.push({ accountId, name: 'seen', slot, by: 1 });
    }
  }
  return changes;
}

async function setSlot(
  tx: Database,
  { memberId, accountId, slot }: { memberId: number; accountId: number; slot: number },
  before: number | undefined,
): Promise<boolean> {
  const { seenMembers } = tx.tables;
  if (before === undefined) return tx.insertOnce(seenMembers, { memberId, accountId, slot });
  const rows = await tx.write(
    tx
      .update(seenMembers)
      .set({ slot })
      .where(
        and(
          eq(seenMembers.memberId, memberId),
          eq(seenMembers.accountId, accountId),
          eq(seenMembers.slot, before),
        ),
      ),
  );
  return rows === 1;
}
