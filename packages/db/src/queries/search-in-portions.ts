import { setImmediate as endOfTurn } from 'node:timers/promises';
import { and, gt, gte, lte, min, type SQL } from 'drizzle-orm';
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';

/** One statement of a search: rows that it found, and the key of the last row that it read. */
interface Portion<Row, Key> {
  readonly rows: Row[];
  /** Undefined after the last row. */
  readonly lastKey: Key | undefined;
}

/** What a search found before it had enough, had read everything or was out of time. */
export interface Found<Row, Key = number> {
  readonly rows: Row[];
  /** The key after which a search that ran out of time continues. */
  readonly goesOnAfter: Key | undefined;
}

/**
 * How long one search may read, how long one statement should take, and how many rows it reads at least and at most. The embedded
 * database blocks the process for about a microsecond per row. MariaDB does not, but each statement has a round trip.
 */
const BOUNDS = {
  libsql: { searchMs: 750, statementMs: 8, fewestRows: 100, mostRows: 16_000 },
  mysql: { searchMs: 1_600, statementMs: 100, fewestRows: 10_000, mostRows: 200_000 },
} as const;

/** The moment, on the monotonic clock, at which a search that begins now stops reading. */
export function searchDeadline({ dialect }: Database): number {
  return performance.now() + BOUNDS[dialect].searchMs;
}

/**
 * Reads rows that no index finds, one portion of a table at a time, in the order of a key. Requests of others run in
 * between.
 * @param read reads the next portion: at most `size` rows of the table, of which at most `limit` are returned
 */
export async function searchInPortions<Row, Key>(
  db: Database,
  { after, limit, deadlineMs }: { after: Key; limit: number; deadlineMs: number },
  read: (after: Key, size: number, limit: number) => Promise<Portion<Row, Key>>,
): Promise<Found<Row, Key>> {
  const { statementMs, fewestRows, mostRows } = BOUNDS[db.dialect];
  const rows: Row[] = [];
  let size: number = fewestRows;
  let key = after;
  for (;;) {
    const startedMs = performance.now();
    const portion = await read(key, size, limit - rows.length);
    rows.push(...portion.rows);
    if (rows.length >= limit || portion.lastKey === undefined) return { rows, goesOnAfter: undefined };
    key = portion.lastKey;
    const nowMs = performance.now();
    if (nowMs >= deadlineMs) return { rows, goesOnAfter: key };
    const factor = statementMs / Math.max(nowMs - startedMs, 0.1);
    size = Math.min(mostRows, Math.max(fewestRows, Math.floor(size * Math.min(2, factor))));
    await endOfTurn();
  }
}

/** The next `size` ids of a table, from the first that is in use: at most as many rows. Undefined behind the last row. */
export async function nextIds(
  db: Database,
  { table, after, size }: { table: MySqlTable & { id: MySqlColumn }; after: number; size: number },
): Promise<{ where: SQL | undefined; lastKey: number } | undefined> {
  const [first] = await db
    .select({ id: min(table.id) })
    .from(table)
    .where(gt(table.id, after));
  if (typeof first?.id !== 'number') return undefined;
  const lastKey = first.id + size - 1;
  return { where: and(gte(table.id, first.id), lte(table.id, lastKey)), lastKey };
}
