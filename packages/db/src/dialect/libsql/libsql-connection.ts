import { randomInt } from 'node:crypto';
import { access, chmod, constants, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';
import { DatabaseUnavailableError, DuplicateKeyError } from '../../database-errors.js';
import type { WriteResult } from '../driver.js';

/**
 * A value the embedded driver can bind.
 *
 * @throws TypeError for anything else: a boolean would make the driver end the whole process
 */
function bindable(value: unknown): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`a statement was given a ${typeof value} it cannot bind`);
}

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

const MAX_PAUSE_MS = 8;

/**
 * Retries until no other connection locks the file. SQLite's own busy time-out would block the event loop.
 * @param deadlineMs monotonic; no attempt but the first begins after it
 * @throws DatabaseUnavailableError (`busy`) when the lock lasts longer than the time allowed
 */
export async function whileBusy<Answer>(attempt: () => Answer, deadlineMs: number): Promise<Answer> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const pauseMs = randomInt(1, MAX_PAUSE_MS + 1);
      if (!isBusy(error)) throw error;
      if (performance.now() + pauseMs >= deadlineMs)
        throw new DatabaseUnavailableError('busy', { cause: error });
      await pause(pauseMs);
      if (performance.now() >= deadlineMs) throw new DatabaseUnavailableError('busy', { cause: error });
    }
  }
}

const OWNER_ALONE = 0o600;

/** The files that SQLite creates next to the database, with the permissions of the main file. */
const COMPANIONS = ['', '-wal', '-shm'];

/**
 * Creates missing files and their folder, and makes the database and its companion files readable by the
 * owner only.
 *
 * @throws DatabaseUnavailableError (`refused`, or `full`) with the system's code if that fails
 */
export async function makePrivateFile(path: string): Promise<void> {
  await makeFiles(path).catch((error: unknown) => {
    throw new DatabaseUnavailableError(hasCode(error, 'ENOSPC') ? 'full' : 'refused', { cause: error });
  });
}

async function makeFiles(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await makeFile(path, 'ax');
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await requireWritable(path);
  }
  for (const companion of COMPANIONS) await chmod(`${path}${companion}`, OWNER_ALONE).catch(unlessElsewhere);
}

async function makeFile(path: string, flags: 'a' | 'ax'): Promise<void> {
  await (await open(path, flags, OWNER_ALONE)).close();
}

/**
 * Refuses a file that is there and cannot be written, without opening it: closing any descriptor of a file releases all locks that
 * this process has on it, those of its open connections too. Another process would then believe that it is alone, and remove the
 * write-ahead log under them.
 */
async function requireWritable(path: string): Promise<void> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw Object.assign(new Error(`${path} is no file`), { code: 'EISDIR' });
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    // A link whose target is not there yet.
    await makeFile(path, 'a');
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** A missing companion file needs nothing. A file of another user is theirs to protect. */
function unlessElsewhere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'EPERM') throw error;
}

const STATEMENTS_KEPT = 300;

/** One connection to the file. Every call blocks until SQLite has answered, and fails at once when the file is locked. */
export interface LibsqlConnection {
  read(sql: string, params: readonly unknown[]): unknown[][];
  write(sql: string, params: readonly unknown[]): WriteResult;
  /** Runs a statement that returns nothing. A failure does not affect the driver. */
  command(sql: string): void;
  close(): void;
}

/** Opens a connection; creates the file if there is none. Errors are the driver's own. */
export function openLibsqlConnection(path: string): LibsqlConnection {
  const connection = new Libsql(path, { timeout: 0 });
  const statements = new Map<string, ReturnType<typeof connection.prepare>>();

  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    if (statement.reader) statement.raw(true);
    if (statements.size >= STATEMENTS_KEPT) {
      const [oldest] = statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
    }
    statements.set(sql, statement);
    return statement;
  };

  const run = <Answer>(sql: string, answer: (statement: ReturnType<typeof prepare>) => Answer): Answer => {
    try {
      return answer(prepare(sql));
    } catch (error) {
      // A statement that found the file locked stays open in SQLite until it is run again. After other errors it
      // is not reused.
      if (!isBusy(error)) statements.delete(sql);
      throw error;
    }
  };

  return {
    read: (sql, params) => run(sql, (statement) => rowsAsArrays(statement.all(params.map(bindable)))),
    write: (sql, params) =>
      run(sql, (statement) => {
        const { changes, lastInsertRowid } = statement.run(params.map(bindable));
        return { rows: changes, insertId: Number(lastInsertRowid) };
      }),
    command: (sql) => {
      connection.exec(sql);
    },
    close: () => {
      statements.clear();
      connection.close();
    },
  };
}

function rowsAsArrays(rows: unknown[]): unknown[][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every statement that returns rows was set to raw, which makes each row an array
  return rows as unknown[][];
}
