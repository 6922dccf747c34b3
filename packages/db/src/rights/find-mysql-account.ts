import type { RowDataPacket } from 'mysql2/promise';
import { withMysqlSession } from './with-mysql-session.js';

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
