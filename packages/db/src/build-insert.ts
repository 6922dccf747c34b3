import { getTableColumns, isSQLWrapper, sql } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import { fillValues } from './fill-values.js';
import type { StatementBuilder } from './statement-builder.js';

interface Built {
  readonly sql: string;
  readonly params: unknown[];
}

/** The inserts of each table, by the columns they are given. */
const built = new WeakMap<MySqlTable, Map<string, Built>>();

/** An insert of one row. The text for the same columns is built once, if all values are plain. */
export function buildInsert(
  builder: StatementBuilder,
  table: MySqlTable,
  row: MySqlTable['$inferInsert'],
): Built {
  const columns: Record<string, unknown> = getTableColumns(table);
  const given = Object.entries(row).filter(([name, value]) => value !== undefined && name in columns);
  if (given.some(([, value]) => isSQLWrapper(value))) return builder.insert(table).values(row).toSQL();
  const key = given.map(([name]) => name).join(' ');
  const ofTable = built.get(table) ?? new Map<string, Built>();
  built.set(table, ofTable);
  const known = ofTable.get(key) ?? placeholders(builder, table, given);
  ofTable.set(key, known);
  return { sql: known.sql, params: fillValues(known.params, Object.fromEntries(given)) };
}

function placeholders(
  builder: StatementBuilder,
  table: MySqlTable,
  given: readonly (readonly [string, unknown])[],
): Built {
  return builder
    .insert(table)
    .values(Object.fromEntries(given.map(([name]) => [name, sql.placeholder(name)])))
    .toSQL();
}
