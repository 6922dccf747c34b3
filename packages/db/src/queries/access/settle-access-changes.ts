import { and, asc, desc, eq, gt, lte, max, min } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { databaseInstant } from './database-instant.js';
import { databaseTime } from './database-time.js';
import { insertTombstones } from './insert-tombstones.js';
import { missingIds } from './missing-ids.js';

/** How far to look below the lowest row of a log pruned without checkpoints: changes may still be in progress there. */
const LOOK_BACK = 1_000;

const PAGE = 5_000;

/** The rest follows in the next run. */
const MOST_TOMBSTONES = 5_000;

/**
 * A starting node reads everything since the newest checkpoint. Pruning removes only changes up to an older
 * one.
 */
const CHECKPOINT_EVERY_MS = 60_000;
const CHECKPOINT_EVERY_IDS = 1_000;

/**
 * Gives each missing id of the change log a tombstone, unless the transaction that took it is still alive. Then
 * records a checkpoint. Any number of nodes may do this at once.
 */
export async function settleAccessChanges(db: Database): Promise<void> {
  const { accessChanges, accessCheckpoints } = db.tables;
  const checkpoint = await findNewestCheckpoint(db);
  const extent = await findExtent(db);
  if (extent === undefined) {
    await db.insert(accessChanges, { atMs: databaseInstant(db) });
    return settleAccessChanges(db);
  }
  if (checkpoint !== undefined && checkpoint.changeId > extent.highestId) {
    // The log was emptied or restored by hand, so old ids are used again.
    await db.write(db.delete(accessCheckpoints).where(eq(accessCheckpoints.changeId, checkpoint.changeId)));
    return settleAccessChanges(db);
  }
  const settledId = await fillGaps(db, {
    afterId: checkpoint?.changeId ?? Math.max(0, extent.lowestId - 1 - LOOK_BACK),
    throughId: extent.highestId,
  });
  if (checkpoint === undefined || isDue(checkpoint, settledId))
    await db.insertOnce(accessCheckpoints, { changeId: settledId, atMs: databaseInstant(db) });
}

interface Checkpoint {
  changeId: number;
  atMs: number;
  nowMs: number;
}

async function findNewestCheckpoint(db: Database): Promise<Checkpoint | undefined> {
  const { changeId, atMs } = db.tables.accessCheckpoints;
  const [newest] = await db
    .select({ changeId, atMs, nowMs: databaseTime(db) })
    .from(db.tables.accessCheckpoints)
    .orderBy(desc(changeId))
    .limit(1);
  return newest;
}

async function findExtent(db: Database): Promise<{ lowestId: number; highestId: number } | undefined> {
  const { accessChanges } = db.tables;
  const [row] = await db
    .select({ lowestId: min(accessChanges.id), highestId: max(accessChanges.id) })
    .from(accessChanges);
  if (row === undefined || row.lowestId === null || row.highestId === null) return undefined;
  return { lowestId: row.lowestId, highestId: row.highestId };
}

/** Fills every gap that can be filled; returns the highest id below which no gap is left. */
async function fillGaps(db: Database, range: { afterId: number; throughId: number }): Promise<number> {
  const { accessChanges } = db.tables;
  let { afterId } = range;
  let firstPending: number | undefined;
  while (afterId < range.throughId) {
    const rows = await db
      .select({ id: accessChanges.id })
      .from(accessChanges)
      .where(and(gt(accessChanges.id, afterId), lte(accessChanges.id, range.throughId)))
      .orderBy(asc(accessChanges.id))
      .limit(PAGE);
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) break;
    const missing = missingIds(afterId, ids, MOST_TOMBSTONES);
    const pending = await insertTombstones(db, missing);
    firstPending ??= pending[0];
    const isFull = missing.length === MOST_TOMBSTONES;
    afterId = isFull ? (missing.at(-1) ?? last) : last;
    if (isFull) break;
  }
  return firstPending === undefined ? afterId : firstPending - 1;
}

function isDue({ changeId, atMs, nowMs }: Checkpoint, settledId: number): boolean {
  if (settledId <= changeId) return false;
  return settledId - changeId >= CHECKPOINT_EVERY_IDS || Math.abs(nowMs - atMs) >= CHECKPOINT_EVERY_MS;
}
