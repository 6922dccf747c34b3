import { and, asc, count, eq, getTableColumns, gt, inArray, or, type SQL } from 'drizzle-orm';
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import { tableIndexRows } from '../dialect/table-indexes.js';
import type { Tables } from '../tables/define-tables.js';

/** A row of any table, by the names of its properties. */
export type WholeRow = Record<string, unknown>;

/** The values that name a row, and by which its table is ordered. */
export type RowKey = readonly (string | number)[];

function columnsOf(table: MySqlTable): Record<string, MySqlColumn> {
  return getTableColumns(table);
}

/** The properties that name a row of the table: its id, or its primary key. */
function keyNamesOf(table: MySqlTable): readonly string[] {
  const several = tableIndexRows(table).find(({ primary }) => primary);
  if (several !== undefined) return several.properties;
  return Object.entries(columnsOf(table)).flatMap(([name, column]) => (column.primary ? [name] : []));
}

/** The key of a row. */
export function keyOfRow(db: Pick<Database, 'tables'>, name: keyof Tables, row: WholeRow): RowKey {
  return keyNamesOf(db.tables[name]).map((part) => {
    const value = row[part];
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`a key has no ${part}`);
    return value;
  });
}

/** Rows of a table in the order of their keys, after that of the last one. */
export async function listWholeRows(
  db: Pick<Database, 'select' | 'tables'>,
  name: keyof Tables,
  { after, limit }: { readonly after: RowKey | undefined; readonly limit: number },
): Promise<WholeRow[]> {
  const table: MySqlTable = db.tables[name];
  const columns = columnsOf(table);
  const key = keyNamesOf(table).flatMap((part) => columns[part] ?? []);
  return db
    .select()
    .from(table)
    .where(after === undefined ? undefined : isLater(key, after))
    .orderBy(...key.map((column) => asc(column)))
    .limit(limit);
}

/** Not a comparison of rows, for which MySQL would use no index. */
function isLater([column, ...columns]: readonly MySqlColumn[], [value, ...values]: RowKey): SQL | undefined {
  if (column === undefined || value === undefined) return undefined;
  const isAfter = gt(column, value);
  return columns.length === 0 ? isAfter : or(isAfter, and(eq(column, value), isLater(columns, values)));
}

/** The rows with one of these numbers in a column. */
export async function listWholeRowsWith<Name extends keyof Tables>(
  db: Pick<Database, 'select' | 'tables'>,
  name: Name,
  column: keyof Tables[Name]['$inferSelect'] & string,
  values: readonly number[],
): Promise<WholeRow[]> {
  const table: MySqlTable = db.tables[name];
  const found = columnsOf(table)[column];
  if (found === undefined || values.length === 0) return [];
  return db
    .select()
    .from(table)
    .where(inArray(found, [...values]));
}

/** How many rows a table has. */
export async function countWholeRows(
  db: Pick<Database, 'select' | 'tables'>,
  name: keyof Tables,
): Promise<number> {
  const table: MySqlTable = db.tables[name];
  const [row] = await db.select({ rows: count() }).from(table);
  return row?.rows ?? 0;
}

/** Inserts rows that have all columns of the table, all or none. Only for a database that nobody uses yet. */
export async function insertWholeRows(
  db: Database,
  name: keyof Tables,
  rows: readonly WholeRow[],
): Promise<void> {
  await db.insertMany<MySqlTable>(db.tables[name], rows);
}
