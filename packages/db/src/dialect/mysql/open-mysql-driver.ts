import { DatabaseUnavailableError } from '../../database-unavailable-error.js';
import type { OpenOptions } from '../../open-options.js';
import type { Driver, StatementRunner } from '../driver.js';
import { runTransaction } from '../run-transaction.js';
import { createMysqlPool, type MysqlConnection } from './mysql-pool.js';

/** Opens a pool of connections to MySQL, MariaDB or a cluster of either. */
export function openMysqlDriver(url: string, options: Required<OpenOptions>): Driver {
  const pool = createMysqlPool(url, options);

  const withConnection = async <Answer>(
    use: (connection: MysqlConnection) => Promise<Answer>,
  ): Promise<Answer> => {
    const connection = await pool.acquire();
    try {
      return await use(connection);
    } finally {
      connection.release();
    }
  };

  return {
    read: (sql, params) => againWhenLost(() => withConnection((connection) => connection.read(sql, params))),
    write: (sql, params) => withConnection((connection) => connection.write(sql, params)),
    transaction: (body) =>
      withConnection((connection) =>
        runTransaction(transactionOn(connection, options), body, options.transactionTimeoutMs),
      ),
    exclusively: (body) =>
      withConnection((connection) => {
        const runner = unbounded(connection);
        return withServerLock(connection, () => body(runner, (changes) => inTransaction(runner, changes)));
      }),
    close: () => pool.close(),
  };
}

/**
 * A connection that stood idle while the server restarted breaks on its next use; a statement that only reads is then
 * asked once more on a new one.
 */
async function againWhenLost<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError && error.reason === 'lost') return read();
    throw error;
  }
}

function transactionOn(connection: MysqlConnection, options: Required<OpenOptions>) {
  let deadlineMs = Number.POSITIVE_INFINITY;
  const timeLeftMs = (): number =>
    Math.max(1, Math.min(options.queryTimeoutMs, deadlineMs - performance.now()));
  const runner: StatementRunner = {
    read: (sql, params) => connection.read(sql, params, timeLeftMs()),
    write: (sql, params) => connection.write(sql, params, timeLeftMs()),
  };
  return {
    runner,
    begin: async () => {
      await connection.write('START TRANSACTION', []);
      deadlineMs = performance.now() + options.transactionTimeoutMs;
    },
    commit: async () => {
      await runner.write('COMMIT', []);
    },
    rollback: async () => {
      try {
        await runner.write('ROLLBACK', []);
      } catch {
        connection.destroy();
      }
    },
  };
}

async function inTransaction(runner: StatementRunner, changes: () => Promise<void>): Promise<void> {
  await runner.write('START TRANSACTION', []);
  try {
    await changes();
    await runner.write('COMMIT', []);
  } catch (error) {
    await runner.write('ROLLBACK', []);
    throw error;
  }
}

function unbounded(connection: MysqlConnection): StatementRunner {
  return {
    read: (sql, params) => connection.read(sql, params, 0),
    write: (sql, params) => connection.write(sql, params, 0),
  };
}

const LOCK_WAIT_SECONDS = 120;

/** The lock belongs to the connection, so that a process that dies gives it back. */
async function withServerLock<Answer>(
  connection: MysqlConnection,
  body: () => Promise<Answer>,
): Promise<Answer> {
  const [[taken] = []] = await connection.read(
    `select get_lock(concat('gatehouse:', left(sha2(database(), 256), 32)), ${LOCK_WAIT_SECONDS})`,
    [],
    0,
  );
  if (taken !== 1) throw new DatabaseUnavailableError('busy');
  try {
    return await body();
  } finally {
    await connection
      .read("select release_lock(concat('gatehouse:', left(sha2(database(), 256), 32)))", [], 0)
      .catch(() => connection.destroy());
  }
}
