import { and, asc, desc, eq, gt, inArray, lt, lte, max, min, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { DatabaseUnavailableError, DuplicateKeyError } from '../database-errors.js';
import { databaseInstant, databaseTime } from './database-clock.js';
import { missingIds } from './list-access-changes.js';

const AT_ONCE = 200;

/** Each of them waits up to the limit of a lock. */
const MAX_PENDING = 3;

/**
 * Fills ids of the change log permanently. The database refuses a tombstone for a visible change, and makes
 * it wait for a live transaction that holds the id.
 * @param ids ascending
 * @returns the ids that may still become a change
 */
async function insertTombstones(db: Database, ids: readonly number[]): Promise<number[]> {
  const pending: number[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const chunk = ids.slice(start, start + AT_ONCE);
    if (await areFilled(db, chunk)) continue;
    for (const [position, id] of chunk.entries()) {
      if (pending.length === MAX_PENDING) return [...pending, ...ids.slice(start + position)];
      if (!(await areFilled(db, [id]))) pending.push(id);
    }
  }
  return pending;
}

/** Fills all of these ids or none. Returns whether each has a row now. */
async function areFilled(db: Database, ids: readonly number[]): Promise<boolean> {
  const { accessChanges } = db.tables;
  let hasTried = false;
  try {
    return await db.transaction(async (tx) => {
      // After a conflict the transaction runs again: another transaction holds one of the ids.
      if (hasTried) return false;
      hasTried = true;
      const there = await tx
        .select({ id: accessChanges.id })
        .from(accessChanges)
        .where(inArray(accessChanges.id, [...ids]));
      const filled = new Set(there.map(({ id }) => id));
      const open = ids.filter((id) => !filled.has(id));
      await tx.insertMany(
        accessChanges,
        open.map((id) => ({ id, atMs: databaseInstant(tx) })),
      );
      return true;
    });
  } catch (error) {
    // Another node was faster; its rows are read the next time.
    if (error instanceof DuplicateKeyError) return areFilled(db, ids);
    if (error instanceof DatabaseUnavailableError && error.reason === 'timeout') return false;
    throw error;
  }
}

/** How far to look below the lowest row of a log pruned without checkpoints: changes may still be in progress there. */
const LOOK_BACK = 1_000;

const PAGE = 5_000;

/** The rest follows in the next run. */
const MAX_TOMBSTONES = 5_000;

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
    const missing = missingIds(afterId, ids, MAX_TOMBSTONES);
    const pending = await insertTombstones(db, missing);
    firstPending ??= pending[0];
    const isFull = missing.length === MAX_TOMBSTONES;
    afterId = isFull ? (missing.at(-1) ?? last) : last;
    if (isFull) break;
  }
  return firstPending === undefined ? afterId : firstPending - 1;
}

function isDue({ changeId, atMs, nowMs }: Checkpoint, settledId: number): boolean {
  if (settledId <= changeId) return false;
  return settledId - changeId >= CHECKPOINT_EVERY_IDS || Math.abs(nowMs - atMs) >= CHECKPOINT_EVERY_MS;
}

/**
 * Removes up to `limit` change-log rows older than `olderThanMs` by the database's clock, lowest first, up to
 * a checkpoint of that age. It keeps the newest row, so that readers can detect missing rows. Returns how
 * many were removed.
 */
export async function pruneAccessChanges(
  db: Database,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
): Promise<number> {
  await settleAccessChanges(db);
  const { accessChanges, accessCheckpoints } = db.tables;
  const { changeId, atMs } = accessCheckpoints;
  const [old] = await db
    .select({ changeId })
    .from(accessCheckpoints)
    .where(lte(atMs, sql`${databaseTime(db)} - ${olderThanMs}`))
    .orderBy(desc(changeId))
    .limit(1);
  if (old === undefined) return 0;
  await db.write(db.delete(accessCheckpoints).where(lt(changeId, old.changeId)));
  const [newest] = await db.select({ id: max(accessChanges.id) }).from(accessChanges);
  const rows = await db
    .select({ id: accessChanges.id })
    .from(accessChanges)
    .where(and(lte(accessChanges.id, old.changeId), lt(accessChanges.id, newest?.id ?? 0)))
    .orderBy(asc(accessChanges.id))
    .limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  return db.write(db.delete(accessChanges).where(inArray(accessChanges.id, ids)));
}
