import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A counter that restarts when its window ends. */
export interface PointLimit {
  /** Names the counter, at most 255 characters. */
  key: string;
  /** Points per window. */
  most: number;
  windowMs: number;
  nowMs: number;
}

/**
 * Takes one point of a counter shared by all nodes; false when none is left in this window. The database
 * decides, so at most `most` of any number of concurrent calls succeed.
 */
export async function consumeLimit(
  db: Database,
  { key, most, windowMs, nowMs }: PointLimit,
): Promise<boolean> {
  const { limits } = db.tables;
  const take = () =>
    db.write(
      db
        .update(limits)
        .set({ points: sql`${limits.points} + 1` })
        .where(and(eq(limits.key, key), gt(limits.expiresAtMs, nowMs), lt(limits.points, most))),
    );
  const startAgain = () =>
    db.write(
      db
        .update(limits)
        .set({ points: 1, expiresAtMs: nowMs + windowMs })
        .where(and(eq(limits.key, key), lte(limits.expiresAtMs, nowMs))),
    );
  if ((await take()) === 1) return true;
  if ((await startAgain()) === 1) return true;
  if (await db.insertOnce(limits, { key, points: 1, expiresAtMs: nowMs + windowMs })) return true;
  return (await take()) === 1;
}
