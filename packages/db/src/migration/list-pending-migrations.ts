import type { Dialect } from '../database.js';
import type { Driver } from '../dialect/driver.js';
import { readProgress } from './migration-progress.js';
import { readMigrations } from './read-migrations.js';

/** The names of the migrations that are not completely applied, oldest first. */
export async function listPendingMigrations(driver: Driver, dialect: Dialect): Promise<string[]> {
  const migrations = await readMigrations(dialect);
  const progress = (await hasMigrationTable(driver, dialect)) ? await readProgress(driver) : undefined;
  return migrations
    .filter(({ name, statements }) => progress?.get(name)?.statementsDone !== statements.length)
    .map(({ name }) => name);
}

async function hasMigrationTable(driver: Driver, dialect: Dialect): Promise<boolean> {
  const tables =
    dialect === 'mysql'
      ? "select 1 from information_schema.tables where table_schema = database() and table_name = 'gatehouse_migrations'"
      : "select 1 from sqlite_master where type = 'table' and name = 'gatehouse_migrations'";
  return (await driver.read(tables, [])).length > 0;
}
