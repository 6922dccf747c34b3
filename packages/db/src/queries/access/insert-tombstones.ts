import { inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';
import { DuplicateKeyError } from '../../duplicate-key-error.js';
import { databaseInstant } from './database-instant.js';

const AT_ONCE = 200;

/** Each of them waits up to the limit of a lock. */
const MOST_PENDING = 3;

/**
 * Fills ids of the change log permanently. The database refuses a tombstone for a visible change, and makes
 * it wait for a live transaction that holds the id.
 * @param ids ascending
 * @returns the ids that may still become a change
 */
export async function insertTombstones(db: Database, ids: readonly number[]): Promise<number[]> {
  const pending: number[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const chunk = ids.slice(start, start + AT_ONCE);
    if (await areFilled(db, chunk)) continue;
    for (const [position, id] of chunk.entries()) {
      if (pending.length === MOST_PENDING) return [...pending, ...ids.slice(start + position)];
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
