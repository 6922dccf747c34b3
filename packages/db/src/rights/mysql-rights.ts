import { getTableColumns, getTableName } from 'drizzle-orm';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { describeMysqlError } from '../dialect/mysql/describe-mysql-error.js';
import { mysqlConnectionOptions } from '../dialect/mysql/mysql-connection-options.js';
import { mysqlVocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { snakeCase } from '../dialect/table-indexes.js';
import { defineTables } from '../tables/define-tables.js';

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

const ALL: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Tables with fewer rights: history must not be rewritten, and the services run no migrations. */
const FEWER: Readonly<Record<string, readonly Right[]>> = {
  audit_log: ['SELECT', 'INSERT'],
  gatehouse_migrations: ['SELECT'],
};

interface TableRights {
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

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A separate connection for operations that no service performs. Connection errors are those of the package.
 */
async function withMysqlSession<Result>(
  url: string,
  body: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const address = { ...mysqlConnectionOptions(url), connectTimeout: CONNECT_TIMEOUT_MS };
  const connection = await createConnection(address).catch((error: unknown) => {
    throw error instanceof Error ? describeMysqlError(error) : error;
  });
  try {
    return await body(connection);
  } finally {
    connection.destroy();
  }
}

/** The account of a URL, as the server names it, and the URL's database. */
export interface MysqlAccount {
  readonly account: string;
  readonly database: string;
}

/** Works even for an account without rights in the database. */
export function findMysqlAccount(url: string): Promise<MysqlAccount> {
  const elsewhere = new URL(url);
  const database = decodeURIComponent(elsewhere.pathname.slice(1));
  elsewhere.pathname = '/';
  return withMysqlSession(elsewhere.href, async (connection) => {
    const [[row]] = await connection.query<RowDataPacket[]>('select current_user() as account');
    return { account: String(row?.['account']), database };
  });
}

/**
 * The statements that grant a MySQL account the services' rights, for the tables of this version.
 *
 * @param account as the server writes it: `gatehouse@%`
 */
export function grantStatements(database: string, account: string): string[] {
  const at = account.lastIndexOf('@');
  const grantee = `${quoted(account.slice(0, at))}@${quoted(account.slice(at + 1))}`;
  return tableRights().map(
    ({ table, rights }) =>
      `GRANT ${rights.join(', ')} ON \`${database.replaceAll('`', '``')}\`.\`${table}\` TO ${grantee}`,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Grants an account the rights the services need. `url` signs in as an account that may grant them. */
export function grantServing(url: string, { account, database }: MysqlAccount): Promise<void> {
  return withMysqlSession(url, async (connection) => {
    for (const statement of grantStatements(database, account)) await connection.query(statement);
  });
}

/** An account's missing and excessive rights on the tables. */
export interface MysqlRights {
  readonly mayChangeSchema: boolean;
  readonly mayChangeAudit: boolean;
  /** The missing rights, as `UPDATE on members`. */
  readonly missing: readonly string[];
}

/** ER_DBACCESS_DENIED, ER_TABLEACCESS_DENIED, ER_COLUMNACCESS_DENIED, ER_SPECIFIC_ACCESS_DENIED. */
const DENIED = new Set([1044, 1142, 1143, 1227]);

/** A table that never exists. An account without the right to drop it is refused before the server looks for it. */
const NO_TABLE = 'gatehouse_no_such_table';

/** Statements that match no row: the server checks rights before it looks for rows. */
const PROBES: Readonly<Record<Right, (table: string, column: string) => string>> = {
  SELECT: (table, column) => `select ${column} from ${table} where 1 = 0`,
  INSERT: (table) => `insert into ${table} select * from ${table} where 1 = 0`,
  UPDATE: (table, column) => `update ${table} set ${column} = null where 1 = 0`,
  DELETE: (table) => `delete from ${table} where 1 = 0`,
};

/** Tests an account's effective rights, however they were granted. Changes nothing. */
export function probeMysqlRights(url: string): Promise<MysqlRights> {
  return withMysqlSession(url, async (connection) => {
    const missing: string[] = [];
    for (const { table, rights, column } of tableRights()) {
      for (const right of rights) {
        if (!(await isAllowed(connection, PROBES[right](table, column))))
          missing.push(`${right} on ${table}`);
      }
    }
    return {
      mayChangeSchema:
        (await isAllowed(connection, `drop table ${NO_TABLE}`)) ||
        (await isAllowed(connection, `alter table ${NO_TABLE} add column x int`)),
      mayChangeAudit:
        (await isAllowed(connection, PROBES.UPDATE('audit_log', 'id'))) ||
        (await isAllowed(connection, PROBES.DELETE('audit_log', 'id'))),
      missing,
    };
  });
}

/** Any other error means that the rights were sufficient and the server went on to the statement. */
async function isAllowed(connection: Connection, sql: string): Promise<boolean> {
  try {
    await connection.query(sql);
    return true;
  } catch (error) {
    if (error instanceof Error && 'errno' in error) return !DENIED.has(Number(error.errno));
    throw error;
  }
}
