import type { RowDataPacket } from 'mysql2/promise';
import { withMysqlSession } from './with-mysql-session.js';

/** Whom a URL signs in as, as the server names it, and the database the URL names. */
export interface MysqlAccount {
  readonly account: string;
  readonly database: string;
}

/** Asks the server, also for an account that has no rights in the database yet. */
export function findMysqlAccount(url: string): Promise<MysqlAccount> {
  const elsewhere = new URL(url);
  const database = decodeURIComponent(elsewhere.pathname.slice(1));
  elsewhere.pathname = '/';
  return withMysqlSession(elsewhere.href, async (connection) => {
    const [[row]] = await connection.query<RowDataPacket[]>('select current_user() as account');
    return { account: String(row?.['account']), database };
  });
}
