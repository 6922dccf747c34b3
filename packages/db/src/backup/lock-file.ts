import { DatabaseUnavailableError } from '../database-unavailable-error.js';
import { describeLibsqlError, isBusy } from '../dialect/libsql/describe-libsql-error.js';
import { openLibsqlConnection } from '../dialect/libsql/libsql-connection.js';
import { whileBusy } from '../dialect/libsql/while-busy.js';
import { BackupError } from './backup-error.js';

/** A command of the operator may have the file open for a moment. */
const WAIT_MS = 500;

/**
 * Takes the embedded database for this process alone; whoever opens it meanwhile waits. Every connection of a service
 * holds SQLite's shared lock from its opening to its end, so this fails while one is open. The write-ahead log of a
 * killed service is moved into the file, and none is beside it afterwards.
 * @returns what gives it free again; the end of the process does, too
 * @throws BackupError if somebody has it open, or it is no database
 */
export async function lockFile(path: string): Promise<() => void> {
  const connection = openLibsqlConnection(path);
  const lock = () => {
    // A statement that is read from would keep its lock after the connection is closed, until it is collected.
    connection.command('PRAGMA locking_mode=EXCLUSIVE');
    connection.command('PRAGMA journal_mode=DELETE');
    connection.command('BEGIN EXCLUSIVE');
  };
  try {
    await whileBusy(lock, performance.now() + WAIT_MS);
    const [[mode] = []] = connection.read('PRAGMA journal_mode', []);
    if (mode !== 'delete') throw new BackupError(`${path} cannot be taken out of its write-ahead mode.`);
  } catch (error) {
    connection.close();
    if (error instanceof DatabaseUnavailableError && isBusy(error.cause))
      throw new BackupError(`${path} is in use: stop every service and command that has it open.`, {
        cause: error,
      });
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `${path} cannot be read (${reasonOf(error)}): stop the services, move it and what begins with its name away, and run this again.`,
      { cause: error },
    );
  }
  return () => {
    connection.command('ROLLBACK');
    connection.command('PRAGMA locking_mode=NORMAL');
    // The lock goes with the next statement that reads.
    connection.command('select count(*) from sqlite_master');
    connection.close();
  };
}

function reasonOf(error: unknown): string {
  const described = describeLibsqlError(error, new Map());
  return described instanceof Error && 'code' in described ? String(described.code) : 'error';
}
