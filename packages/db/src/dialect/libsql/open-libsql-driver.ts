import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';
import type { OpenOptions } from '../../open-options.js';
import type { Driver, StatementRunner } from '../driver.js';
import { runTransaction } from '../run-transaction.js';
import { describeLibsqlError, isBusy } from './describe-libsql-error.js';
import { type LibsqlConnection, openLibsqlConnection } from './libsql-connection.js';
import { whileBusy } from './while-busy.js';
import { createWriteTurn } from './write-turn.js';

/**
 * Opens the embedded database: one connection that writes, in turns, and one that reads beside it (WAL, so that
 * neither waits for the other). What was committed is on the disk (`synchronous=FULL`).
 */
export async function openLibsqlDriver(
  path: string,
  indexNames: ReadonlyMap<string, string>,
  options: Required<OpenOptions>,
): Promise<Driver> {
  await mkdir(dirname(path), { recursive: true });
  const turn = createWriteTurn(options.queueLimit, options.writeTurnTimeoutMs);
  const writer = await openWith(path, WRITER_PRAGMAS, options.busyTimeoutMs);
  const reader = await openWith(path, READER_PRAGMAS, options.busyTimeoutMs);
  let closed = false;

  const attempt = async <Answer>(statement: () => Answer): Promise<Answer> => {
    if (closed) throw new DatabaseUnavailableError('closed');
    try {
      return await whileBusy(statement, options.busyTimeoutMs);
    } catch (error) {
      throw describeLibsqlError(error, indexNames);
    }
  };
  const onWriter: StatementRunner = {
    read: (sql, params) => attempt(() => writer.read(sql, params)),
    write: (sql, params) => attempt(() => writer.write(sql, params)),
  };
  const command = async (sql: string): Promise<void> => {
    await onWriter.write(sql, []);
  };
  const steps = {
    runner: onWriter,
    begin: () => command('BEGIN IMMEDIATE'),
    commit: () => command('COMMIT'),
    rollback: () => command('ROLLBACK').catch(ignoreEndedTransaction),
  };

  return {
    read: (sql, params) => attempt(() => reader.read(sql, params)),
    write: (sql, params) => turn.take(() => onWriter.write(sql, params)),
    transaction: (body) => turn.take(() => runTransaction(steps, body, options.transactionTimeoutMs)),
    exclusively: (body) => turn.take(() => runTransaction(steps, body, undefined)),
    close: async () => {
      if (closed) return;
      await turn.idle();
      closed = true;
      reader.close();
      checkpoint(writer);
      writer.close();
    },
  };
}

/** Leaves everything in the one file, so that it may be copied, unless another process is still using it. */
function checkpoint(writer: LibsqlConnection): void {
  try {
    writer.read('PRAGMA wal_checkpoint(TRUNCATE)', []);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

const WRITER_PRAGMAS = ['PRAGMA journal_mode=WAL', 'PRAGMA synchronous=FULL', 'PRAGMA cache_size=-16000'];
const READER_PRAGMAS = ['PRAGMA cache_size=-16000', 'PRAGMA query_only=ON'];

async function openWith(path: string, pragmas: string[], busyTimeoutMs: number): Promise<LibsqlConnection> {
  try {
    const connection = openLibsqlConnection(path);
    for (const pragma of pragmas) await whileBusy(() => connection.read(pragma, []), busyTimeoutMs);
    return connection;
  } catch (error) {
    throw describeLibsqlError(error, new Map());
  }
}

/** SQLite ends a transaction by itself after some errors, and then refuses the ROLLBACK; nothing is left to undo. */
function ignoreEndedTransaction(): void {}
