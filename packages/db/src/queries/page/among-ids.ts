import { type Column, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * True for rows whose column is one of the ids. Drizzle's `inArray` makes one parameter per id, and building
 * a statement with hundreds of them costs more than running it. Here they are one parameter, so the statement
 * can be prepared. The embedded database gets JSON. MySQL plans JSON badly, so there the client writes the
 * ids into the statement.
 * @param ids or the placeholder of a prepared statement, which is executed with `idList` of the ids
 * @throws {TypeError} if one is not a safe integer
 */
export function amongIds(db: Database, column: Column | SQL, ids: readonly number[] | Placeholder): SQL {
  const list = Array.isArray(ids) ? sql.param(idList(db, ids)) : ids;
  return db.dialect === 'libsql'
    ? sql`${column} in (select value from json_each(${list}))`
    : sql`${column} in (${list})`;
}

/**
 * The column for `amongIds` where another column has already narrowed the rows down to a few. MySQL would open one
 * range of an index for each id; it has no index for an expression.
 */
export function besideIndex(db: Database, column: Column): Column | SQL {
  return db.dialect === 'mysql' ? sql`${column} + 0` : column;
}

/**
 * The ids as one parameter for `amongIds`.
 * @throws {TypeError} if one is not a safe integer
 */
export function idList(db: Database, ids: readonly number[]): string | readonly number[] {
  for (const id of ids) if (!Number.isSafeInteger(id)) throw new TypeError('an id is a safe integer');
  if (db.dialect === 'libsql') return JSON.stringify(ids);
  // No row has id 0, and MySQL rejects an empty list.
  return ids.length === 0 ? [0] : ids;
}
