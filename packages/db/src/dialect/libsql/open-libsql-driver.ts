import { DatabaseUnavailableError } from '../../database-errors.js';
import type { OpenOptions } from '../../open-options.js';
import type { Driver, WriteResult } from '../driver.js';
import { runTransaction, type TransactionSteps } from '../run-transaction.js';
import {
  describeLibsqlError,
  isBusy,
  isMoved,
  type LibsqlConnection,
  makePrivateFile,
  openLibsqlConnection,
  whileBusy,
} from './libsql-connection.js';
import { createWriteLock } from './libsql-write-lock.js';

/**
 * Opens the embedded database with one connection for writes and one for reads. With WAL they do not wait for
 * each other. Commits are on the disk (`synchronous=FULL`), but for those that the next one flushes.
 */
export async function openLibsqlDriver(
  path: string,
  indexNames: ReadonlyMap<string, string>,
  options: Required<OpenOptions>,
): Promise<Driver> {
  await makePrivateFile(path);
  const writeLock = createWriteLock(options.queueLimit, options.writeLockTimeoutMs);
  const writer = await openWriter(path, options.busyTimeoutMs);
  const reader = await openWith(path, READER_PRAGMAS, options.busyTimeoutMs);
  let isClosing = false;
  let isFlushing = true;

  /** The write lock is held, so no other transaction is open on the connection. */
  const begin = (isFlushed: boolean): void => {
    if (isFlushed !== isFlushing) writer.command(`PRAGMA synchronous=${isFlushed ? 'FULL' : 'NORMAL'}`);
    isFlushing = isFlushed;
    writer.command('BEGIN IMMEDIATE');
  };
  /**
   * Runs one write in a transaction. A bare write that finds the file locked stays open in SQLite with an old
   * snapshot, and every later write of the connection would fail.
   */
  const writeAlone = (sql: string, params: readonly unknown[]): WriteResult => {
    begin(true);
    try {
      const result = writer.write(sql, params);
      writer.command('COMMIT');
      return result;
    } catch (error) {
      rollBack(writer);
      throw error;
    }
  };
  const whileOpen = async <Answer>(use: () => Promise<Answer>): Promise<Answer> => {
    if (isClosing) throw new DatabaseUnavailableError('closed');
    return use();
  };
  const attempt = async <Answer>(statement: () => Answer, deadlineMs: number): Promise<Answer> => {
    try {
      return await whileBusy(statement, Math.min(deadlineMs, performance.now() + options.busyTimeoutMs));
    } catch (error) {
      throw describeLibsqlError(error, indexNames);
    }
  };
  const writing = <Answer>(deadlineMs: number, body: () => Promise<Answer>): Promise<Answer> =>
    whileOpen(() => writeLock.run(body, deadlineMs - performance.now()));
  const steps = (deadlineMs: number, isFlushed = true): TransactionSteps => {
    const command = (sql: string) => attempt(() => writer.command(sql), deadlineMs);
    return {
      runner: {
        read: (sql, params) => attempt(() => writer.read(sql, params), deadlineMs),
        write: (sql, params) => attempt(() => writer.write(sql, params), deadlineMs),
      },
      begin: () => attempt(() => begin(isFlushed), deadlineMs),
      commit: () => command('COMMIT'),
      rollback: async () => rollBack(writer),
    };
  };
  const read = (sql: string, params: readonly unknown[], deadlineMs = Number.POSITIVE_INFINITY) =>
    whileOpen(() => attempt(() => reader.read(sql, params), deadlineMs));

  return {
    read,
    write: (sql, params, deadlineMs = Number.POSITIVE_INFINITY) =>
      writing(deadlineMs, () => attempt(() => writeAlone(sql, params), deadlineMs)),
    transaction: (body, deadlineMs = Number.POSITIVE_INFINITY, isFlushed = true) =>
      writing(deadlineMs, () => {
        const endMs = Math.min(deadlineMs, performance.now() + options.transactionTimeoutMs);
        return runTransaction(steps(endMs, isFlushed), body, endMs);
      }),
    exclusively: (body) =>
      writing(Number.POSITIVE_INFINITY, () =>
        runTransaction(
          steps(Number.POSITIVE_INFINITY),
          (runner) => body(runner, (changes) => changes()),
          undefined,
        ),
      ),
    onNewConnection: (use) => use({ read }),
    snapshot: (body) =>
      whileOpen(async () => {
        const own = await openWith(path, READER_PRAGMAS, options.busyTimeoutMs);
        const readOwn = (sql: string, params: readonly unknown[]) =>
          attempt(() => own.read(sql, params), Number.POSITIVE_INFINITY);
        try {
          own.command('BEGIN');
          // The first read fixes the moment.
          await readOwn('select 1 from sqlite_master limit 1', []);
          return await body({ read: readOwn });
        } finally {
          own.close();
        }
      }),
    close: async () => {
      if (isClosing) return;
      isClosing = true;
      await writeLock.idle();
      reader.close();
      checkpoint(writer);
      writer.close();
    },
  };
}

/**
 * SQLite ends a transaction by itself after some errors and then refuses the rollback. There is nothing left to
 * undo.
 */
function rollBack(writer: LibsqlConnection): void {
  try {
    writer.command('ROLLBACK');
  } catch {}
}

/** Moves all data into the main file, so that it can be copied. Skipped while another process uses it. */
function checkpoint(writer: LibsqlConnection): void {
  try {
    writer.read('PRAGMA wal_checkpoint(TRUNCATE)', []);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

const WRITER_PRAGMAS = ['PRAGMA journal_mode=WAL', 'PRAGMA synchronous=FULL', 'PRAGMA cache_size=-16000'];
const READER_PRAGMAS = ['PRAGMA cache_size=-16000', 'PRAGMA query_only=ON'];

/** A restore may replace the opened file with another one while this waits for its lock. */
async function openWriter(path: string, busyTimeoutMs: number): Promise<LibsqlConnection> {
  try {
    return await openWith(path, WRITER_PRAGMAS, busyTimeoutMs);
  } catch (error) {
    if (!isMoved(error)) throw error;
    return openWriter(path, busyTimeoutMs);
  }
}

async function openWith(path: string, pragmas: string[], busyTimeoutMs: number): Promise<LibsqlConnection> {
  let connection: LibsqlConnection | undefined;
  try {
    const opened = openLibsqlConnection(path);
    connection = opened;
    for (const pragma of pragmas)
      await whileBusy(() => opened.read(pragma, []), performance.now() + busyTimeoutMs);
    return opened;
  } catch (error) {
    connection?.close();
    throw describeLibsqlError(error, new Map());
  }
}
