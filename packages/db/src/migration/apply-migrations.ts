import type { Dialect } from '../database.js';
import type { Driver, StatementRunner } from '../dialect/driver.js';
import { effectExists } from './effect-exists.js';
import type { Migration } from './migration.js';
import { CREATE_MIGRATION_TABLE, readProgress } from './migration-progress.js';
import type { MigrationReport } from './migration-report.js';
import { readMigrations } from './read-migrations.js';

/**
 * Brings the database up to the newest migration, while no other process does.
 *
 * The embedded database takes all of it as one transaction. MySQL commits every change of a table by itself, so the
 * number of statements done is written after each one. A process killed between a statement and that note leaves the
 * statement done but not noted: the first statement of a resumed migration may therefore find its effect present.
 *
 * @throws Error when a migration that was applied has been edited since
 */
export async function applyMigrations(driver: Driver, dialect: Dialect): Promise<MigrationReport> {
  const migrations = await readMigrations(dialect);
  return driver.exclusively(async (runner) => {
    await runner.write(CREATE_MIGRATION_TABLE, []);
    const progress = await readProgress(runner);
    const applied: string[] = [];
    for (const migration of migrations) {
      const known = progress.get(migration.name);
      if (known !== undefined && known.sha256 !== migration.sha256) {
        throw new Error(`migration ${migration.name} has been edited since it was applied`);
      }
      if (known?.statementsDone === migration.statements.length) continue;
      await applyMigration(runner, migration, known?.statementsDone);
      applied.push(migration.name);
    }
    return { applied, total: migrations.length };
  });
}

async function applyMigration(runner: StatementRunner, migration: Migration, resumeAt: number | undefined) {
  if (resumeAt === undefined) {
    await runner.write('insert into gatehouse_migrations (name, sha256, statements_done) values (?, ?, 0)', [
      migration.name,
      migration.sha256,
    ]);
  }
  const start = resumeAt ?? 0;
  for (const [offset, statement] of migration.statements.slice(start).entries()) {
    try {
      await runner.write(statement, []);
    } catch (error) {
      const resumed = resumeAt !== undefined && offset === 0;
      if (!(resumed && effectExists(error))) throw error;
    }
    await runner.write('update gatehouse_migrations set statements_done = ? where name = ?', [
      start + offset + 1,
      migration.name,
    ]);
  }
}
