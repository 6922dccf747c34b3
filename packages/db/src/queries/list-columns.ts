import { getTableColumns } from 'drizzle-orm';
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core';
import { mysqlVocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { defineTables, type Tables } from '../tables/define-tables.js';

/** What a column holds: yes or no, a number, text, or a JSON value. */
export type ColumnKind = 'flag' | 'number' | 'text' | 'json';

/** A column of a table. */
export interface WholeColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

const tables = defineTables(mysqlVocabulary);

/** The columns of a table in their order, the same on both databases. */
export function listColumns(table: keyof Tables): WholeColumn[] {
  const columns: Record<string, MySqlColumn> = getTableColumns<MySqlTable>(tables[table]);
  return Object.entries(columns).map(([name, column]) => ({
    name,
    kind: kindOf(column),
    isNullable: !column.notNull,
  }));
}

function kindOf(column: MySqlColumn): ColumnKind {
  if (column.dataType === 'boolean') return 'flag';
  if (column.dataType === 'number') return 'number';
  // Columns with JSON parse the stored text.
  return Array.isArray(column.mapFromDriverValue('[]')) ? 'json' : 'text';
}
