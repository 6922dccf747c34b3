import type { Connection } from 'mysql2/promise';
import { type Right, tableRights } from './table-rights.js';
import { withMysqlSession } from './with-mysql-session.js';

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
