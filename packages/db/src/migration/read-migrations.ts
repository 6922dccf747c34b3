import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Dialect } from '../database.js';
import { DatabaseUnavailableError } from '../database-errors.js';
import type { StatementRunner } from '../dialect/driver.js';
import { type Migration, readProgress } from './apply-migrations.js';

/** The same folder seen from `src/migration` and from `dist/migration`. */
const FOLDER = new URL('../../migrations/', import.meta.url);

const BREAKPOINT = '--> statement-breakpoint';

/** The migrations of a dialect, oldest first. */
export async function readMigrations(dialect: Dialect): Promise<Migration[]> {
  const folder = new URL(`${dialect}/`, FOLDER);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      return {
        name: file.slice(0, -'.sql'.length),
        sha256: createHash('sha256').update(text).digest('hex'),
        statements: text
          .split(BREAKPOINT)
          .map((statement) => statement.trim())
          .filter((statement) => statement !== ''),
      };
    }),
  );
}

type Reader = Pick<StatementRunner, 'read'>;

/** The names of migrations that are not yet completely applied, or were edited since they were, oldest first. */
export async function listPendingMigrations(runner: Reader, dialect: Dialect): Promise<string[]> {
  const migrations = await readMigrations(dialect);
  const progress = (await hasMigrationTable(runner, dialect)) ? await readProgress(runner) : undefined;
  return migrations
    .filter(({ name, sha256, statements }) => {
      const known = progress?.get(name);
      return known?.sha256 !== sha256 || known.statementsDone !== statements.length;
    })
    .map(({ name }) => name);
}

async function hasMigrationTable(runner: Reader, dialect: Dialect): Promise<boolean> {
  const tables =
    dialect === 'mysql'
      ? "select 1 from information_schema.tables where table_schema = database() and table_name = 'gatehouse_migrations'"
      : "select 1 from sqlite_master where type = 'table' and name = 'gatehouse_migrations'";
  return (await runner.read(tables, [])).length > 0;
}

/** MySQL's error numbers for a missing table and a missing column. */
const MISSING = new Set<unknown>([1146, 1054]);

const MISSING_IN_FILE = /^(?:no such (?:table|column): |table \S+ has no column named )/;

/**
 * Translates the error of a missing table or column to the package's error; other errors are returned
 * unchanged.
 */
export function asUnmigrated(error: unknown): unknown {
  return isMissing(error) ? new DatabaseUnavailableError('unmigrated', { cause: error }) : error;
}

/** The driver's class is not imported: otherwise a service on MySQL would load its binary only for this. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'SqliteError') return MISSING_IN_FILE.test(error.message);
  return 'errno' in error && MISSING.has(error.errno);
}
