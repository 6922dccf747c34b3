import { setTimeout as pause } from 'node:timers/promises';
import {
  createPool,
  type PoolConnection,
  type QueryError,
  type ResultSetHeader,
  type RowDataPacket,
} from 'mysql2';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';
import type { OpenOptions } from '../../open-options.js';
import type { WriteResult } from '../driver.js';
import { createBorrowers } from './borrowers.js';
import { breaksConnection, describeMysqlError } from './describe-mysql-error.js';

/** A connection borrowed from the pool. */
export interface MysqlConnection {
  read(sql: string, params: readonly unknown[], timeoutMs?: number): Promise<unknown[][]>;
  write(sql: string, params: readonly unknown[], timeoutMs?: number): Promise<WriteResult>;
  /** Gives the connection back, or closes it when it can carry no other statement; to be called once, whatever happened. */
  release(): void;
  /** Closes the connection at once, which makes the server roll back its transaction. */
  destroy(): void;
}

/** A bounded number of connections to one MySQL server. Errors are those of the package. */
export interface MysqlPool {
  acquire(): Promise<MysqlConnection>;
  close(): Promise<void>;
}

/** Makes a pool that connects when first asked. */
export function createMysqlPool(url: string, options: Required<OpenOptions>): MysqlPool {
  const pool = createPool({
    uri: url,
    connectionLimit: options.poolSize,
    queueLimit: options.queueLimit,
    connectTimeout: options.connectTimeoutMs,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    supportBigNumbers: true,
    stringifyObjects: true,
    waitForConnections: true,
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
  });
  const ready = new WeakSet<PoolConnection>();
  const connections = new Set<PoolConnection>();
  const borrowers = createBorrowers();
  let isClosing = false;
  pool.on('connection', (connection) => {
    const forget = () => void connections.delete(connection);
    connections.add(connection);
    connection.once('end', forget).once('error', forget);
  });

  const borrow = (): Promise<PoolConnection> =>
    new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(new DatabaseUnavailableError('timeout'));
      }, options.acquireTimeoutMs);
      pool.getConnection((error, connection) => {
        clearTimeout(timer);
        if (late) connection?.release();
        else if (error) reject(describeAcquireError(error));
        else resolve(connection);
      });
    });

  return {
    async acquire() {
      if (isClosing) throw new DatabaseUnavailableError('closed');
      const raw = await borrow();
      const connection = borrowed(raw, options.queryTimeoutMs, borrowers.enter());
      if (!ready.has(raw)) {
        try {
          await prepareSession(connection);
        } catch (error) {
          connection.destroy();
          connection.release();
          throw error;
        }
        ready.add(raw);
      }
      return connection;
    },
    async close() {
      isClosing = true;
      await Promise.race([borrowers.gone(), pause(options.transactionTimeoutMs, undefined, { ref: false })]);
      const ended = new Promise<void>((resolve) => pool.end(() => resolve()));
      await Promise.race([ended, pause(GOODBYE_MS, undefined, { ref: false })]);
      for (const connection of connections) connection.destroy();
    },
  };
}

/** How long the server may take to acknowledge the end of a connection that nobody uses. */
const GOODBYE_MS = 1_000;

function describeAcquireError(error: Error): Error {
  if (error.message === 'Queue limit reached.')
    return new DatabaseUnavailableError('overloaded', { cause: error });
  if (error.message === 'Pool is closed.') return new DatabaseUnavailableError('closed', { cause: error });
  return describeMysqlError(error);
}

function borrowed(connection: PoolConnection, queryTimeoutMs: number, leave: () => void): MysqlConnection {
  let isBroken = false;
  const describe = (error: QueryError): Error => {
    const described = describeMysqlError(error);
    isBroken ||= error.fatal || breaksConnection(described);
    return described;
  };
  return {
    read: (sql, params, timeout = queryTimeoutMs) =>
      new Promise((resolve, reject) => {
        const query = { sql, values: [...params], timeout, rowsAsArray: true };
        connection.query<RowDataPacket[][]>(query, (error, rows) => {
          if (error) reject(describe(error));
          else resolve(rows);
        });
      }),
    write: (sql, params, timeout = queryTimeoutMs) =>
      new Promise((resolve, reject) => {
        connection.query<ResultSetHeader>({ sql, values: [...params], timeout }, (error, header) => {
          if (error) reject(describe(error));
          else resolve({ rows: header.affectedRows, insertId: header.insertId });
        });
      }),
    release: () => {
      leave();
      if (isBroken) connection.destroy();
      else connection.release();
    },
    destroy: () => {
      isBroken = true;
      connection.destroy();
    },
  };
}

const SQL_MODE =
  'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
const LOCK_WAIT_SECONDS = 3;

/** MariaDB's own end to a transaction whose node has gone away without closing the connection. */
const IDLE_TRANSACTION_SECONDS = 10;

async function prepareSession(connection: MysqlConnection): Promise<void> {
  await connection.write('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', []);
  const special = await connection.read(
    "SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'idle_transaction_timeout')",
    [],
  );
  const server = new Map(special.map(([name, value]) => [name, value]));
  const settings = [
    "time_zone = '+00:00'",
    `sql_mode = '${SQL_MODE}'`,
    `innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
    ...(server.get('wsrep_on') === 'ON' ? ['wsrep_sync_wait = 1'] : []),
    ...(server.has('idle_transaction_timeout')
      ? [`idle_transaction_timeout = ${IDLE_TRANSACTION_SECONDS}`]
      : []),
  ];
  await connection.write(`SET SESSION ${settings.join(', SESSION ')}`, []);
}
