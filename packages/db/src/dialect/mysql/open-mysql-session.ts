import type { Socket } from 'node:net';
import { createConnection, type QueryError, type ResultSetHeader, type RowDataPacket } from 'mysql2';
import { DatabaseUnavailableError } from '../../database-errors.js';
import type { WriteResult } from '../driver.js';
import { breaksConnection, describeMysqlError } from './describe-mysql-error.js';
import {
  mysqlConnectionOptions,
  readServerVariables,
  type SocketAddress,
} from './mysql-connection-options.js';

/** One connection to the server. Errors are those of the package. */
export interface MysqlSession {
  /** The server's id of the connection; undefined until the greeting. */
  readonly place: ServerPlace | undefined;
  /** When the server last answered, in monotonic milliseconds. */
  readonly heardAtMs: number;
  /** False once the connection is lost, destroyed or being closed. */
  readonly isUsable: boolean;
  /** @param timeoutMs after which the connection is destroyed; by default the statement has no limit */
  read(sql: string, params: readonly unknown[], timeoutMs: number | undefined): Promise<unknown[][]>;
  /** As `read`, for a statement that answers with no rows. */
  write(sql: string, params: readonly unknown[], timeoutMs: number | undefined): Promise<WriteResult>;
  /** Like `write`, for a commit, or for a write outside a transaction, which commits by itself. */
  commit(sql: string, params: readonly unknown[], timeoutMs: number | undefined): Promise<WriteResult>;
  /** Closes the connection at once. The server rolls back when it notices; statements in progress are regarded as timed out. */
  destroy(): void;
  /** Closes the connection in order. Resolves once it is closed, within a second. */
  end(): Promise<void>;
}

/** Identifies a connection among the servers behind a URL. */
export interface ServerPlace {
  readonly threadId: number;
  /** The server, as `readServerVariables` identifies it. Undefined if the session was lost before that. */
  readonly server: string | undefined;
  readonly openedAtMs: number;
  readonly heardAtMs: number;
  /** Whether a commit was sent and not answered. */
  readonly isCommitting: boolean;
}

export interface SessionOptions {
  /** How long it may take until the server has let the connection in. */
  readonly connectTimeoutMs: number;
  /** How long connecting and setting up may take together. Without it, the server's default settings stay. */
  readonly setUpTimeoutMs?: number;
  /**
   * Called once when the session becomes unusable; the argument is whether the server may still believe it is
   * open.
   */
  readonly onGone?: (session: MysqlSession, isHeld: boolean) => void;
  /** Called with the send time of a statement that timed out. The session is already destroyed. */
  readonly onTimeout?: (sentAtMs: number) => void;
}

/** Connects to the server of a `mysql://` URL and sets up the session. */
export async function openMysqlSession(url: string, options: SessionOptions): Promise<MysqlSession> {
  const startedAtMs = performance.now();
  const { setUpTimeoutMs } = options;
  const session = startSession(url, options);
  try {
    await session.connected;
    if (setUpTimeoutMs !== undefined) await session.prepare(startedAtMs + setUpTimeoutMs);
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
}

interface StartedSession extends MysqlSession {
  readonly connected: Promise<void>;
  prepare(deadlineMs: number): Promise<void>;
}

function startSession(url: string, { connectTimeoutMs, onGone, onTimeout }: SessionOptions): StartedSession {
  let socket: Socket | undefined;
  let openedAtMs: number | undefined;
  let server: string | undefined;
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let goneWith: Error | undefined;
  let isCommitting = false;
  const pending: { readonly sentAtMs: number; fail(error: Error): void }[] = [];

  const address = mysqlConnectionOptions(url);
  const connection = createConnection({
    ...address,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    supportBigNumbers: true,
    stringifyObjects: true,
    // We prepare none on the server, and the driver would reserve room for 16,000: half a megabyte for each connection.
    maxPreparedStatements: 1,
    connectTimeout: connectTimeoutMs,
    stream: (options: { config: SocketAddress }) => {
      socket = address.stream(options);
      return socket;
    },
  });

  const close = (): void => {
    reset(socket);
    connection.destroy();
  };

  const lose = (error: Error, isHeld: boolean): void => {
    if (goneWith !== undefined) return;
    goneWith = error;
    close();
    for (const { fail } of pending.splice(0)) fail(error);
    onGone?.(session, isHeld);
  };

  const giveUp = (): void => {
    const [oldest] = pending;
    lose(new DatabaseUnavailableError(oldest === undefined ? 'lost' : 'timeout'), true);
    if (oldest !== undefined) onTimeout?.(oldest.sentAtMs);
  };

  connection.on('error', (error: QueryError) => lose(asLoss(error), error.code === 'ETIMEDOUT'));
  connection.on('end', () => lose(new DatabaseUnavailableError('lost'), false));

  function send<Answer>(
    statement: { sql: string; params: readonly unknown[]; rowsAsArray: boolean },
    limitMs: number | undefined,
    accept: (answer: RowDataPacket[][] | ResultSetHeader) => Answer,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (goneWith !== undefined) {
        reject(goneWith);
        return;
      }
      const { sql, params, rowsAsArray } = statement;
      const sentAtMs = performance.now();
      let isSettled = false;
      const timer = limitMs === undefined ? undefined : setTimeout(() => setImmediate(expire), limitMs);
      const settle = (): void => {
        isSettled = true;
        clearTimeout(timer);
        const at = pending.indexOf(entry);
        if (at !== -1) pending.splice(at, 1);
      };
      const entry = {
        sentAtMs,
        fail(error: Error): void {
          settle();
          reject(error);
        },
      };
      /** Called one turn of the event loop later, so that an answer delayed by a busy loop is read first. */
      function expire(): void {
        if (!isSettled) giveUp();
      }
      pending.push(entry);
      const query = { sql, values: [...params], rowsAsArray };
      connection.query<RowDataPacket[][] | ResultSetHeader>(query, (error, answer) => {
        if (isSettled) return;
        settle();
        heardAtMs = performance.now();
        isCommitting = false;
        if (error === null) {
          resolve(accept(answer));
          return;
        }
        const described = error.fatal ? asLoss(error) : describeMysqlError(error);
        reject(described);
        if (error.fatal || breaksConnection(described)) lose(described, false);
      });
    });
  }

  const write: MysqlSession['write'] = (sql, params, limitMs) =>
    send({ sql, params, rowsAsArray: false }, limitMs, (header) =>
      Array.isArray(header)
        ? { rows: 0, insertId: 0 }
        : { rows: header.affectedRows, insertId: header.insertId },
    );

  const session: StartedSession = {
    connected: new Promise((resolve, reject) => {
      pending.push({ sentAtMs: performance.now(), fail: reject });
      connection.once('connect', () => {
        pending.shift();
        openedAtMs = heardAtMs = performance.now();
        resolve();
      });
    }),
    async prepare(deadlineMs) {
      server = await prepareSession(session, deadlineMs);
    },
    get place() {
      if (openedAtMs === undefined) return undefined;
      return { threadId: connection.threadId, server, openedAtMs, heardAtMs, isCommitting };
    },
    get heardAtMs() {
      return heardAtMs;
    },
    get isUsable() {
      return goneWith === undefined;
    },
    read: (sql, params, limitMs) =>
      send({ sql, params, rowsAsArray: true }, limitMs, (rows) => (Array.isArray(rows) ? rows : [])),
    write,
    commit(sql, params, limitMs) {
      isCommitting = true;
      return write(sql, params, limitMs);
    },
    destroy: giveUp,
    end() {
      if (goneWith !== undefined) return Promise.resolve();
      goneWith = new DatabaseUnavailableError('closed');
      return new Promise((resolve) => {
        const timer = setTimeout(close, GOODBYE_MS);
        socket?.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
        connection.end();
        onGone?.(session, false);
      });
    },
  };
  return session;
}

/** How long the server may take to close an unused connection. */
const GOODBYE_MS = 1_000;

/**
 * Sends a reset where possible. Otherwise packets that the system still holds for an unreachable server would
 * arrive later.
 */
function reset(socket: Socket | undefined): void {
  if (socket === undefined || socket.destroyed) return;
  if (!socket.connecting && socket.remotePort !== undefined) socket.resetAndDestroy();
  socket.destroy();
}

/** ER_DBACCESS_DENIED_ERROR. */
const DATABASE_DENIED = 1044;

/**
 * The error behind a lost connection. The server's error number gives the reason; without one the connection
 * was lost.
 */
function asLoss(error: QueryError): Error {
  // In other cases this number means that a statement lacks a right.
  if (error.errno === DATABASE_DENIED) return new DatabaseUnavailableError('denied', { cause: error });
  const described = describeMysqlError(error);
  const isOfServer = (error.errno ?? 0) > 0;
  return described === error && !isOfServer
    ? new DatabaseUnavailableError('lost', { cause: error })
    : described;
}

const SQL_MODE =
  'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
const LOCK_WAIT_SECONDS = 3;

/** MariaDB's way to end a transaction when its node has left without closing the connection. */
const IDLE_TRANSACTION_SECONDS = 10;

/** @returns the server's identity */
async function prepareSession(session: MysqlSession, deadlineMs: number): Promise<string> {
  const leftMs = () => Math.max(1, deadlineMs - performance.now());
  const { identity, session: variables } = await readServerVariables(session, leftMs());
  // MariaDB before 11.1 has only the old name, which MySQL 8 no longer has.
  const isolation = variables.has('transaction_isolation') ? 'transaction_isolation' : 'tx_isolation';
  const settings = [
    `${isolation} = 'READ-COMMITTED'`,
    "time_zone = '+00:00'",
    `sql_mode = '${SQL_MODE}'`,
    `innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
    ...(variables.get('wsrep_on') === 'ON' ? ['wsrep_sync_wait = 1'] : []),
    ...(variables.has('idle_transaction_timeout')
      ? [`idle_transaction_timeout = ${IDLE_TRANSACTION_SECONDS}`]
      : []),
  ];
  await session.write(`SET SESSION ${settings.join(', SESSION ')}`, [], leftMs());
  return identity;
}
