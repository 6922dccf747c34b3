import type { Dialect } from '../database.js';
import type { StatementRunner } from '../dialect/driver.js';
import { readProgress } from './migration-progress.js';
import { readMigrations } from './read-migrations.js';

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
