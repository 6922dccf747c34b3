import { and, type Column, eq, gte, lte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';

/**
 * True for rows whose column is one of the ids. Drizzle's `inArray` makes one parameter per id, and building
 * a statement with hundreds of them costs more than running it. Here they are one parameter, so the statement
 * can be prepared. The embedded database gets JSON. MySQL plans JSON badly, so there the client writes the
 * ids into the statement.
 * @param ids or the placeholder of a prepared statement, which is executed with `idList` of the ids
 * @throws {TypeError} if one is not a safe integer
 */
export function inIds(db: Database, column: Column | SQL, ids: readonly number[] | Placeholder): SQL {
  const list = Array.isArray(ids) ? sql.param(idList(db, ids)) : ids;
  return db.dialect === 'libsql'
    ? sql`${column} in (select value from json_each(${list}))`
    : sql`${column} in (${list})`;
}

/**
 * The column for `inIds` where another column has already narrowed the rows down to a few. MySQL would open one
 * range of an index for each id; it has no index for an expression.
 */
export function besideIndex(db: Database, column: Column): Column | SQL {
  return db.dialect === 'mysql' ? sql`${column} + 0` : column;
}

/**
 * The ids as one parameter for `inIds`.
 * @throws {TypeError} if one is not a safe integer
 */
export function idList(db: Database, ids: readonly number[]): string | readonly number[] {
  for (const id of ids) if (!Number.isSafeInteger(id)) throw new TypeError('an id is a safe integer');
  if (db.dialect === 'libsql') return JSON.stringify(ids);
  // No row has id 0, and MySQL rejects an empty list.
  return ids.length === 0 ? [0] : ids;
}

/** Where counting stops: this many means that many or more. */
export const MAX_COUNTED = 1_000;

/** How many rows of a table match, up to `MAX_COUNTED`, after which it stops reading. */
export async function countUpTo(db: Database, table: MySqlTable, where: SQL | undefined): Promise<number> {
  const [row] = await selectCountUpTo(db, table, where);
  return row?.count ?? 0;
}

/** The query for this count. */
export function selectCountUpTo(db: Database, table: MySqlTable, where: SQL | undefined) {
  const some = sql`(select 1 from ${table} where ${where} limit ${sql.raw(String(MAX_COUNTED))}) some`;
  return db.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(some);
}

/** Such counts of one table, each by its key, in one statement. */
export async function countEachUpTo(
  db: Database,
  table: MySqlTable,
  conditions: ReadonlyMap<number, SQL | undefined>,
): Promise<ReadonlyMap<number, number>> {
  if (conditions.size === 0) return new Map();
  const counted = [...conditions].map(
    ([key, where]) =>
      sql`select ${key} as counted_key, (${selectCountUpTo(db, table, where)}) as counted_rows`,
  );
  const rows = await db
    .select({
      key: sql<number>`counted_key`.mapWith(Number),
      count: sql<number>`counted_rows`.mapWith(Number),
    })
    .from(sql`(${sql.join(counted, sql` union all `)}) counted`);
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/**
 * Reads a page of a list ordered by a text and then by id, in two steps: the remaining rows with the cursor's
 * text, then the rows after it. Each step is one index range. On some databases one condition on both columns
 * is not a range, and a deep page would cost as much as all pages before it.
 */
export async function pageBehind<Row>(
  limit: number,
  steps: {
    tied: (limit: number) => Promise<Row[]>;
    beyond: (limit: number) => Promise<Row[]>;
  },
): Promise<Row[]> {
  const tied = await steps.tied(limit);
  if (tied.length >= limit) return tied;
  return [...tied, ...(await steps.beyond(limit - tied.length))];
}

/**
 * True for rows whose column has the value, for the leading index columns of a paged list. The order must
 * name them too. After an equality MariaDB scans every equal row up to the page; after a range of one value
 * it goes straight to the page. The embedded database does the opposite.
 */
export function pinnedTo(
  db: Database,
  column: Column,
  value: number | string | Placeholder,
): SQL | undefined {
  return db.dialect === 'mysql' ? and(gte(column, value), lte(column, value)) : eq(column, value);
}
