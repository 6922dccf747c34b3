import { getTableName } from 'drizzle-orm';
import type { Tables } from '../tables/define-tables.js';
import { indexName } from './index-row.js';
import { snakeCase } from './snake-case.js';
import { tableIndexRows } from './table-index-rows.js';

/** The name of each unique index by its columns as SQLite names them in an error: `members.sid_key`. */
export function uniqueIndexNames(tables: Tables): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const table of Object.values(tables)) {
    const tableName = getTableName(table);
    for (const row of tableIndexRows(table)) {
      if (!row.unique) continue;
      const columns = row.properties.map((property) => `${tableName}.${snakeCase(property)}`);
      names.set(columns.join(', '), indexName(tableName, row));
    }
  }
  return names;
}
