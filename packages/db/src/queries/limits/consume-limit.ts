import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareWrite } from '../prepared.js';

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

const take = prepareWrite<Values>((db) => {
  const { limits } = db.tables;
  const { key, points, expiresAtMs } = limits;
  return db
    .update(limits)
    .set({ points: sql`${points} + 1` })
    .where(
      and(
        eq(key, given(key, 'key')),
        gt(expiresAtMs, given(expiresAtMs, 'nowMs')),
        lt(points, given(points, 'most')),
      ),
    );
});

const startAgain = prepareWrite<Values>((db) => {
  const { limits } = db.tables;
  const { key, expiresAtMs } = limits;
  return db
    .update(limits)
    .set({ points: 1, expiresAtMs: given(expiresAtMs, 'endsAtMs') })
    .where(and(eq(key, given(key, 'key')), lte(expiresAtMs, given(expiresAtMs, 'nowMs'))));
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
  if ((await startAgain(db, values)) === 1) return true;
  const row = { key, points: 1, expiresAtMs: values.endsAtMs };
  if (await db.insertOnce(db.tables.limits, row)) return true;
  return (await take(db, values)) === 1;
}
