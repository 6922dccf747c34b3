import { getTableName } from 'drizzle-orm';
import { indexName } from '../dialect/index-row.js';
import { snakeCase } from '../dialect/snake-case.js';
import { tableIndexRows } from '../dialect/table-index-rows.js';
import type { Tables } from './define-tables.js';

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
