import { and, eq, gt, lt, lte, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { startsWith } from './match-text.js';
import { given, prepareRead, prepareWrite } from './prepared.js';

/** A counter that restarts when its window ends. */
export interface PointLimit {
  /** Names the counter, at most 255 characters. */
  key: string;
  /** Points per window. */
  most: number;
  windowMs: number;
  nowMs: number;
}

type Values = { key: string; most: number; nowMs: number; endsAtMs: number };

/** One point more, or the first of a new window. MariaDB assigns `points` first, in the order of the table's columns. */
const take = prepareWrite<Values>((db) => {
  const { limits } = db.tables;
  const { key, points, expiresAtMs } = limits;
  const isOver = lte(expiresAtMs, given(expiresAtMs, 'nowMs'));
  return db
    .update(limits)
    .set({
      points: sql`case when ${isOver} then 1 else ${points} + 1 end`,
      expiresAtMs: sql`case when ${isOver} then ${given(expiresAtMs, 'endsAtMs')} else ${expiresAtMs} end`,
    })
    .where(and(eq(key, given(key, 'key')), or(isOver, lt(points, given(points, 'most')))));
});

/**
 * Takes one point of a counter shared by all nodes; false when none is left in this window. The database
 * decides, so at most `most` of any number of concurrent calls succeed.
 */
export async function consumeLimit(
  db: Database,
  { key, most, windowMs, nowMs }: PointLimit,
): Promise<boolean> {
  const values = { key, most, nowMs, endsAtMs: nowMs + windowMs };
  if ((await take(db, values)) === 1) return true;
  const row = { key, points: 1, expiresAtMs: values.endsAtMs };
  if (await db.insertOnce(db.tables.limits, row)) return true;
  return (await take(db, values)) === 1;
}

/** Adds points to a counter shared by all nodes, without a limit. Returns its points in this window. */
export async function addToLimit(
  db: Database,
  {
    key: name,
    points: added,
    windowMs,
    nowMs,
  }: { key: string; points: number; windowMs: number; nowMs: number },
): Promise<number> {
  const { limits } = db.tables;
  const { key, points, expiresAtMs } = limits;
  const isOver = lte(expiresAtMs, nowMs);
  const endsAtMs = nowMs + windowMs;
  const raise = () =>
    db.write(
      db
        .update(limits)
        .set({
          points: sql`case when ${isOver} then ${added} else ${points} + ${added} end`,
          expiresAtMs: sql`case when ${isOver} then ${endsAtMs} else ${expiresAtMs} end`,
        })
        .where(eq(key, name)),
    );
  const first = { key: name, points: added, expiresAtMs: endsAtMs };
  if ((await raise()) === 0 && !(await db.insertOnce(limits, first))) await raise();
  return (await findLimit(db, name))?.points ?? added;
}

/** The stored state of a counter. Its window may be over. */
interface LimitRow {
  points: number;
  /** When the window ends, in epoch milliseconds. */
  endsAtMs: number | null;
}

const preparedLimit = prepareRead((db) => {
  const { key, points, expiresAtMs } = db.tables.limits;
  return db
    .select({ points, endsAtMs: expiresAtMs })
    .from(db.tables.limits)
    .where(eq(key, sql.placeholder('key')));
});

/** A counter; undefined for an unused one. */
export async function findLimit(db: Database, key: string): Promise<LimitRow | undefined> {
  const [row] = await preparedLimit(db, { key });
  return row;
}

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

/** Deletes every counter whose key starts with a text. Returns how many there were. */
export async function removeLimits(db: Database, prefix: string): Promise<number> {
  const { limits } = db.tables;
  return db.write(db.delete(limits).where(startsWith(limits.key, prefix)));
}
