import { readProgress } from '../migration/migration-progress.js';
import { readMigrations } from '../migration/read-migrations.js';
import { BackupError } from './backup-error.js';
import { openFileQuietly, type QuietConnection } from './open-file-quietly.js';

/** What a checked file of the embedded database holds. */
export interface FileContent {
  /** How many rows each table has. */
  readonly rows: ReadonlyMap<string, number>;
  /** The migrations of this program that it lacks, oldest first. */
  readonly pending: readonly string[];
  /** When something last changed that the audit log notes; undefined where nothing did. */
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
