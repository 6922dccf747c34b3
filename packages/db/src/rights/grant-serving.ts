import type { MysqlAccount } from './find-mysql-account.js';
import { grantStatements } from './grant-statements.js';
import { withMysqlSession } from './with-mysql-session.js';

/** Grants an account the rights the services need. `url` signs in as an account that may grant them. */
export function grantServing(url: string, { account, database }: MysqlAccount): Promise<void> {
  return withMysqlSession(url, async (connection) => {
    for (const statement of grantStatements(database, account)) await connection.query(statement);
  });
}
