import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { TransactionConflictError } from '../database-errors.js';
import type { SecurityOutcome } from '../tables/audit-tables.js';
import type { StatisticName } from '../tables/operation-tables.js';
import { listMembershipRowsOf } from './memberships.js';

/** A quarter of an hour. The days of every time zone begin at the beginning of one. */
export const SLOT_MS = 900_000;

/** The quarter of an hour of an instant. */
export function slotOf(atMs: number): number {
  return Math.floor(atMs / SLOT_MS);
}

/** The account of counters that are about the whole service. */
export const WHOLE_SERVICE = 0;

/** Something to add to a counter, or to take from it. */
export interface CounterChange {
  readonly accountId: number;
  readonly name: StatisticName;
  readonly slot: number;
  readonly by: number;
}

/**
 * Adds to counters, in the transaction that marks the counted rows. Always in one order, so that two transactions do not
 * deadlock.
 */
export async function addToCounters(tx: Database, changes: readonly CounterChange[]): Promise<void> {
  for (const change of inOrder(summed(changes))) await add(tx, change);
}

async function add(tx: Database, { accountId, name, slot, by }: CounterChange): Promise<void> {
  const { statisticCounters } = tx.tables;
  const update = () =>
    tx.write(
      tx
        .update(statisticCounters)
        .set({ count: sql`${statisticCounters.count} + ${by}` })
        .where(
          and(
            eq(statisticCounters.accountId, accountId),
            eq(statisticCounters.name, name),
            eq(statisticCounters.slot, slot),
          ),
        ),
    );
  // A counter that is gone was older than the retention.
  if ((await update()) === 1 || by < 0) return;
  if (!(await tx.insertOnce(statisticCounters, { accountId, name, slot, count: by }))) await update();
}

function summed(changes: readonly CounterChange[]): CounterChange[] {
  const sums = new Map<string, CounterChange>();
  for (const change of changes) {
    const key = `${change.accountId} ${change.name} ${change.slot}`;
    sums.set(key, { ...change, by: change.by + (sums.get(key)?.by ?? 0) });
  }
  return [...sums.values()].filter(({ by }) => by !== 0);
}

function inOrder(changes: readonly CounterChange[]): CounterChange[] {
  return changes.toSorted(
    (one, other) =>
      one.accountId - other.accountId ||
      Number(one.name > other.name) - Number(one.name < other.name) ||
      one.slot - other.slot,
  );
}

/** What is counted of each member is counted in the whole service, and in each account they are in now. */
export async function accountsOfMembers(
  tx: Database,
  memberIds: readonly number[],
): Promise<(memberId: number) => readonly number[]> {
  const ids = [...new Set(memberIds)];
  const accounts = new Map(ids.map((id) => [id, [WHOLE_SERVICE]]));
  if (ids.length > 0)
    for (const { memberId, accountId } of await listMembershipRowsOf(tx, ids))
      accounts.get(memberId)?.push(accountId);
  return (memberId) => accounts.get(memberId) ?? [WHOLE_SERVICE];
}

const NAMES: Readonly<Record<SecurityOutcome, StatisticName>> = {
  ok: 'loginOk',
  failed: 'loginFailed',
  locked: 'loginLocked',
};

/**
 * Counts up to `limit` sign-ins that were not counted yet, or those of one member; a refused one counts as often as it occurred.
 * Each is counted once. Returns how many events there were.
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

/**
 * Counts up to `limit` members who were not counted yet as signed up when they were made. Marking and counting are one
 * transaction, so each is counted once, with any number of nodes and crashes. Returns how many there were.
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

/** Removes up to `limit` counters older than a moment. Returns how many were removed. */
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
