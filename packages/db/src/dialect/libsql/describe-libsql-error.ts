import Libsql from 'libsql';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';
import { DuplicateKeyError } from '../../duplicate-key-error.js';

/** Whether SQLite refused because another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Libsql.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** Whether the file that was opened no longer has its name, so that SQLite writes nothing into it. */
export function isMoved(error: unknown): boolean {
  return error instanceof Libsql.SqliteError && error.code === 'SQLITE_READONLY_DBMOVED';
}

/**
 * Translates an error of the embedded driver; returns others unchanged.
 * @param indexNames the name of each unique index by its columns as SQLite spells them: `members.sid_key`
 */
export function describeLibsqlError(error: unknown, indexNames: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof Libsql.SqliteError)) return error;
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    const columns = error.message.replace(/^UNIQUE constraint failed: /, '');
    return new DuplicateKeyError(indexNames.get(columns) ?? 'PRIMARY', { cause: error });
  }
  if (error.code.startsWith('SQLITE_FULL')) return new DatabaseUnavailableError('full', { cause: error });
  if (/^SQLITE_(IOERR|CANTOPEN|NOTADB)/.test(error.code)) {
    return new DatabaseUnavailableError('lost', { cause: error });
  }
  return error;
}
