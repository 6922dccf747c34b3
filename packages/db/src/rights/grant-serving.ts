import type { MysqlAccount } from './find-mysql-account.js';
import { grantStatements } from './grant-statements.js';
import { withMysqlSession } from './with-mysql-session.js';

/** Lets an account serve. `url` signs in as one that may grant what it has itself. */
export function grantServing(url: string, { account, database }: MysqlAccount): Promise<void> {
  return withMysqlSession(url, async (connection) => {
    for (const statement of grantStatements(database, account)) await connection.query(statement);
  });
}
