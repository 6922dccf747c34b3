import { and, eq, gt, gte, inArray, lt, max, min, ne, type SQL, sql, sum } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { GaugeName, StatisticName } from '../tables/operation-tables.js';
import type { MemberScope } from './member-scope.js';
import { inIds } from './paging.js';
import { WHOLE_SERVICE } from './statistic-counters.js';

/** Equally long ranges of time, one after the other, in quarters of an hour. */
export interface SlotRun {
  readonly fromSlot: number;
  readonly untilSlot: number;
  /** How long each of them is. */
  readonly slots: number;
}

/** The counts of one bucket. */
export interface CountedRange {
  readonly name: StatisticName;
  readonly fromSlot: number;
  readonly count: number;
}

/** What happened in the service, or to the members of the accounts in scope, in each range of a run; empty ones are left out. */
export async function sumCounters(
  db: Database,
  scope: MemberScope,
  names: readonly StatisticName[],
  { fromSlot, untilSlot, slots }: SlotRun,
): Promise<CountedRange[]> {
  const { accountId, name, slot, count } = db.tables.statisticCounters;
  const behind = sql`${slot} - ${sql.raw(String(fromSlot))}`;
  const place = (
    db.dialect === 'libsql'
      ? sql<number>`(${behind}) / ${sql.raw(String(slots))}`
      : sql<number>`(${behind}) div ${sql.raw(String(slots))}`
  ).mapWith(Number);
  const rows = await db
    .select({ name, place: place.as('place'), count: sum(count).mapWith(Number) })
    .from(db.tables.statisticCounters)
    .where(
      and(
        ofAccounts(db, accountId, scope),
        inArray(name, [...names]),
        gte(slot, fromSlot),
        lt(slot, untilSlot),
      ),
    )
    .groupBy(name, sql`place`);
  return rows.map((row) => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `addToCounters` writes names.
    name: row.name as StatisticName,
    fromSlot: fromSlot + row.place * slots,
    count: row.count,
  }));
}

/** How many members were seen since the beginning of a quarter of an hour, each once in an account. */
export async function countSeenSince(db: Database, scope: MemberScope, fromSlot: number): Promise<number> {
  const { accountId, name, slot, count } = db.tables.statisticCounters;
  const [row] = await db
    .select({ count: sum(count).mapWith(Number) })
    .from(db.tables.statisticCounters)
    .where(and(ofAccounts(db, accountId, scope), eq(name, 'seen'), gte(slot, fromSlot)));
  return row?.count ?? 0;
}

/** How much there was of something. */
interface GaugeSum {
  readonly name: GaugeName;
  readonly count: number;
  readonly oldestAtMs: number | null;
  /** When it was counted, in epoch milliseconds. */
  readonly atMs: number;
}

/** The gauges of the service, or of the accounts in scope together. */
export async function sumGauges(db: Database, scope: MemberScope): Promise<GaugeSum[]> {
  const { statisticGauges } = db.tables;
  const { accountId, name, count, oldestAtMs, atMs } = statisticGauges;
  const rows = await db
    .select({ name, count: sum(count).mapWith(Number), oldestAtMs: min(oldestAtMs), atMs: max(atMs) })
    .from(statisticGauges)
    .where(ofAccounts(db, accountId, scope))
    .groupBy(name);
  return rows.map((row) => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `setGauges` writes names.
    name: row.name as GaugeName,
    count: row.count,
    oldestAtMs: row.oldestAtMs,
    atMs: row.atMs ?? 0,
  }));
}

function ofAccounts(
  db: Database,
  column:
    | Database['tables']['statisticCounters']['accountId']
    | Database['tables']['statisticGauges']['accountId'],
  scope: MemberScope,
): SQL {
  if (scope.all) return eq(column, WHOLE_SERVICE);
  return scope.accountIds.length === 0 ? sql`1 = 0` : inIds(db, column, scope.accountIds);
}

/** A running node and its last report. */
interface ServiceNode {
  readonly name: string;
  readonly service: string;
  readonly slowestMs: number;
}

/** The nodes that reported since a moment. */
export async function listServiceNodes(db: Database, sinceMs: number): Promise<ServiceNode[]> {
  const { name, service, slowestMs, reportedAtMs } = db.tables.serviceNodes;
  return (
    db
      .select({ name, service, slowestMs })
      .from(db.tables.serviceNodes)
      // The mark that a migration leaves has no service.
      .where(and(gt(reportedAtMs, sinceMs), ne(service, '')))
  );
}

/** Reports that a node runs, and removes nodes without a report since `goneBeforeMs`. */
export async function reportNode(
  db: Database,
  { name, ...report }: ServiceNode,
  { nowMs, goneBeforeMs }: { nowMs: number; goneBeforeMs: number },
): Promise<void> {
  const { serviceNodes } = db.tables;
  const row = { ...report, reportedAtMs: nowMs };
  const update = () => db.write(db.update(serviceNodes).set(row).where(eq(serviceNodes.name, name)));
  if ((await update()) === 0) await db.insertOnce(serviceNodes, { name, ...row });
  await db.write(db.delete(serviceNodes).where(lt(serviceNodes.reportedAtMs, goneBeforeMs)));
}
