import { type Connection, createConnection } from 'mysql2/promise';
import { describeMysqlError } from '../dialect/mysql/describe-mysql-error.js';
import { mysqlConnectionOptions } from '../dialect/mysql/mysql-connection-options.js';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A separate connection for operations that no service performs. Connection errors are those of the package.
 */
export async function withMysqlSession<Result>(
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
