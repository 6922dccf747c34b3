import { CommitUnknownError, DatabaseUnavailableError } from '../../database-errors.js';
import type { OpenOptions } from '../../open-options.js';
import type { Driver, StatementRunner } from '../driver.js';
import { runTransaction, type TransactionSteps } from '../run-transaction.js';
import { createMysqlPool, type MysqlConnection } from './mysql-pool.js';

/** Opens a pool of connections to MySQL, MariaDB or a cluster of either. */
export function openMysqlDriver(url: string, options: Required<OpenOptions>): Driver {
  const pool = createMysqlPool(url, options);
  const statementDeadline = () => performance.now() + options.queryTimeoutMs;

  const withConnection = async <Answer>(
    deadlineMs: number,
    use: (connection: MysqlConnection) => Promise<Answer>,
  ): Promise<Answer> => {
    const connection = await pool.acquire(deadlineMs);
    try {
      return await use(connection);
    } finally {
      connection.release();
    }
  };

  return {
    read: (sql, params, deadlineMs = statementDeadline()) =>
      againWhenLost(() =>
        withConnection(deadlineMs, (connection) => connection.read(sql, params, leftUntil(deadlineMs))),
      ),
    write: (sql, params, deadlineMs = statementDeadline()) =>
      withConnection(deadlineMs, (connection) =>
        connection.commit(sql, params, leftUntil(deadlineMs)).catch(throwOutcome),
      ),
    transaction: (body, deadlineMs = performance.now() + options.transactionTimeoutMs) =>
      withConnection(deadlineMs, (connection) =>
        runTransaction(transactionOn(connection, options.queryTimeoutMs, deadlineMs), body, deadlineMs),
      ),
    exclusively: (body) =>
      withConnection(statementDeadline(), (connection) => {
        const runner = unbounded(connection);
        return withServerLock(connection, () =>
          body(runner, (changes) => inTransaction(connection, runner, changes)),
        );
      }),
    onNewConnection: async (use) => {
      const deadlineMs = statementDeadline();
      const reading = ({ read }: Pick<MysqlConnection, 'read'>) =>
        use({ read: (sql, params) => read(sql, params, leftUntil(deadlineMs)) });
      try {
        return await pool.withNew(reading);
      } catch (error) {
        // A server without room for another connection may still serve the existing ones.
        if (!isOverloaded(error)) throw error;
        return withConnection(deadlineMs, reading);
      }
    },
    snapshot: (body) =>
      pool.withNew(async ({ read, write }) => {
        const limitMs = options.queryTimeoutMs;
        // MariaDB's limit for idle transactions would end one whose reader writes to a slow disk.
        const hasLimit = await read("show variables like 'idle_transaction_timeout'", [], limitMs);
        if (hasLimit.length > 0) await write('SET SESSION idle_transaction_timeout = 0', [], limitMs);
        await write('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', [], limitMs);
        await write('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', [], limitMs);
        return body({ read: (sql, params) => read(sql, params, limitMs) });
      }),
    poolLoad: () => pool.load(),
    close: () => pool.close(),
  };
}

const isOverloaded = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError && error.reason === 'overloaded';

/**
 * A connection that was idle while the server restarted breaks at its next use. A statement that only reads
 * is then repeated once on a new one.
 */
async function againWhenLost<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError && error.reason === 'lost') return read();
    throw error;
  }
}

/** If the answer to a commit is lost, the commit may have happened; if the server refused it, it has not. */
function throwOutcome(error: unknown): never {
  const isUnknown =
    error instanceof DatabaseUnavailableError && (error.reason === 'lost' || error.reason === 'timeout');
  throw isUnknown ? new CommitUnknownError(error.reason, { cause: error }) : error;
}

const leftUntil = (deadlineMs: number): number => Math.max(1, deadlineMs - performance.now());

/**
 * Waiting for a commit that was sent avoids an unknown result, and a rollback saves a connection; both get
 * little time.
 */
const MAX_END_MS = 250;

function transactionOn(
  connection: MysqlConnection,
  queryTimeoutMs: number,
  deadlineMs: number,
): TransactionSteps {
  const leftMs = (): number => Math.min(queryTimeoutMs, leftUntil(deadlineMs));
  return {
    runner: {
      read: (sql, params) => connection.read(sql, params, leftMs()),
      write: (sql, params) => connection.write(sql, params, leftMs()),
    },
    begin: async () => {
      await connection.write('START TRANSACTION', [], leftMs());
    },
    commit: async () => {
      await connection.commit('COMMIT', [], Math.max(leftMs(), MAX_END_MS)).catch(throwOutcome);
    },
    rollback: async () => {
      if (!connection.isUsable) return;
      await connection.write('ROLLBACK', [], MAX_END_MS).catch(() => connection.destroy());
    },
    abandon: () => connection.destroy(),
  };
}

async function inTransaction(
  connection: MysqlConnection,
  runner: StatementRunner,
  changes: () => Promise<void>,
): Promise<void> {
  await runner.write('START TRANSACTION', []);
  try {
    await changes();
    await runner.write('COMMIT', []);
  } catch (error) {
    await runner.write('ROLLBACK', []).catch(() => connection.destroy());
    throw error;
  }
}

function unbounded(connection: MysqlConnection): StatementRunner {
  return {
    read: (sql, params) => connection.read(sql, params, undefined),
    write: (sql, params) => connection.write(sql, params, undefined),
  };
}

const LOCK_WAIT_SECONDS = 120;

/** The lock belongs to the connection, so it is released if the process dies. */
async function withServerLock<Answer>(
  connection: MysqlConnection,
  body: () => Promise<Answer>,
): Promise<Answer> {
  const [[taken] = []] = await connection.read(
    `select get_lock(concat('gatehouse:', left(sha2(database(), 256), 32)), ${LOCK_WAIT_SECONDS})`,
    [],
    undefined,
  );
  if (taken !== 1) throw new DatabaseUnavailableError('busy');
  try {
    return await body();
  } finally {
    await connection
      .read(
        "select release_lock(concat('gatehouse:', left(sha2(database(), 256), 32)))",
        [],
        LOCK_RELEASE_TIMEOUT_MS,
      )
      .catch(() => connection.destroy());
  }
}

const LOCK_RELEASE_TIMEOUT_MS = 5_000;
