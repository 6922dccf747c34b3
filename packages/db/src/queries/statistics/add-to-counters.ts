import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { StatisticName } from '../../tables/statistic-counters.js';

/** The account of counters that are about the whole service. */
export const WHOLE_SERVICE = 0;

/** Something to add to a counter, or to take from it. */
export interface CounterChange {
  readonly accountId: number;
  readonly name: StatisticName;
  readonly slot: number;
  readonly by: number;
}

/** Adds to counters, in the transaction that marks what they count as counted. In one order, so that two do not deadlock. */
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
