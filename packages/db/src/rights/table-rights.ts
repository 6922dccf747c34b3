import { getTableColumns, getTableName } from 'drizzle-orm';
import { mysqlVocabulary } from '../dialect/mysql/vocabulary.js';
import { snakeCase } from '../dialect/snake-case.js';
import { defineTables } from '../tables/define-tables.js';

export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

const ALL: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Tables with fewer rights: history must not be rewritten, and the services run no migrations. */
const FEWER: Readonly<Record<string, readonly Right[]>> = {
  audit_log: ['SELECT', 'INSERT'],
  gatehouse_migrations: ['SELECT'],
};

export interface TableRights {
  readonly table: string;
  readonly rights: readonly Right[];
  /** A column for a statement that matches no row. */
  readonly column: string;
}

/** The rights of the services in MySQL, for each table: no DDL, and no changes of audit lines. */
export function tableRights(): TableRights[] {
  const tables = Object.values(defineTables(mysqlVocabulary)).map((table) => ({
    table: getTableName(table),
    column: snakeCase(Object.keys(getTableColumns(table))[0] ?? 'id'),
  }));
  return [...tables, { table: 'gatehouse_migrations', column: 'name' }]
    .map((each) => ({ ...each, rights: FEWER[each.table] ?? ALL }))
    .sort((one, other) => (one.table < other.table ? -1 : 1));
}
