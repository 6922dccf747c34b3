import { type Column, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * True of rows whose column is one of the ids. Drizzle's `inArray` makes a parameter of each, and writing a statement of
 * several hundred costs more than running it: the embedded database gets them as one, so that the statement stays the
 * same and prepared, and MySQL, which would plan that badly, as literals.
 *
 * @throws {TypeError} when one is no safe integer
 */
export function amongIds(db: Database, column: Column, ids: readonly number[]): SQL {
  const list = ids.map(asInteger).join(',');
  if (db.dialect === 'libsql') return sql`${column} in (select value from json_each(${`[${list}]`}))`;
  return list === '' ? sql`1 = 0` : sql`${column} in (${sql.raw(list)})`;
}

function asInteger(id: number): string {
  if (!Number.isSafeInteger(id)) throw new TypeError('an id is a safe integer');
  return String(id);
}
