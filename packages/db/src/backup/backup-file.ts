import { open } from 'node:fs/promises';
import Connection from 'libsql/promise';
import { DatabaseUnavailableError } from '../database-errors.js';
import {
  describeLibsqlError,
  isBusy,
  openLibsqlConnection,
  whileBusy,
} from '../dialect/libsql/libsql-connection.js';
import { readProgress } from '../migration/apply-migrations.js';
import { readMigrations } from '../migration/read-migrations.js';

/** A backup or restore that was refused, with a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Waits until a file, or the names in a folder, are on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A connection whose long statements leave the event loop free, for the operator's commands. */
interface QuietConnection {
  run(sql: string): Promise<void>;
  read(sql: string): Promise<unknown[][]>;
  close(): void;
}

interface Statement {
  raw(): { all(): Promise<unknown[][]> };
}

/** How long another process may keep the file locked. */
const BUSY_MS = 5_000;

/** Opens a file of the embedded database read-only. */
export function openFileQuietly(path: string): QuietConnection {
  const connection = new Connection(path, { timeout: BUSY_MS });
  return {
    run: async (sql) => {
      await connection.exec(sql);
    },
    read: async (sql) =>
      asStatement(await connection.prepare(sql))
        .raw()
        .all(),
    close: () => connection.close(),
  };
}

function asStatement(prepared: unknown): Statement {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package declares no types for these; a raw statement returns each row as an array
  return prepared as Statement;
}

/** The content of a checked file of the embedded database. */
export interface FileContent {
  /** How many rows each table has. */
  readonly rows: ReadonlyMap<string, number>;
  /** The migrations of this program that it lacks, oldest first. */
  readonly pending: readonly string[];
  /** When something that the audit log notes last changed; undefined if nothing did. */
  readonly newestAtMs: number | undefined;
}

/**
 * Reads a whole file of the embedded database and checks that it is intact and that this program knows all of its
 * migrations.
 * @throws BackupError
 */
export async function inspectFile(path: string): Promise<FileContent> {
  const connection = openFileQuietly(path);
  try {
    return await inspect(connection, path);
  } catch (error) {
    if (error instanceof BackupError || !isUnreadable(error)) throw error;
    throw new BackupError(`${path} is damaged, or is no database.`, { cause: error });
  } finally {
    connection.close();
  }
}

async function inspect(connection: QuietConnection, path: string): Promise<FileContent> {
  const [[verdict] = []] = await connection.read('PRAGMA integrity_check(1)');
  if (verdict !== 'ok') throw new BackupError(`${path} is damaged: ${String(verdict)}`);
  const tables = (
    await connection.read(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
    )
  ).map(([name]) => String(name));
  if (!tables.includes('gatehouse_migrations')) throw new BackupError(`${path} is no database of Gatehouse.`);
  const pending = await pendingOf(connection, path);
  const rows = new Map<string, number>();
  for (const table of tables) {
    const [[count] = []] = await connection.read(`select count(*) from "${table}"`);
    rows.set(table, Number(count));
  }
  const [[newest] = []] = tables.includes('audit_log')
    ? await connection.read('select max(at_ms) from audit_log')
    : [];
  return { rows, pending, newestAtMs: typeof newest === 'number' ? newest : undefined };
}

async function pendingOf(connection: QuietConnection, path: string): Promise<string[]> {
  const known = await readMigrations('libsql');
  const progress = await readProgress(connection);
  for (const [name, { sha256 }] of progress) {
    if (known.find((each) => each.name === name)?.sha256 !== sha256)
      throw new BackupError(
        `${path} has the migration ${name}, which this version does not: use the version it was made with, or a later one.`,
      );
  }
  return known
    .filter(({ name, statements }) => progress.get(name)?.statementsDone !== statements.length)
    .map(({ name }) => name);
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}

/** A command of the operator may have the file open for a moment. */
const WAIT_MS = 500;

/**
 * Takes the embedded database for this process alone; other processes that open it wait. Every connection of a service
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
