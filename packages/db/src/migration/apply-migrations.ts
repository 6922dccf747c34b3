import type { Driver, StatementRunner } from '../dialect/driver.js';
import { effectExists } from './effect-exists.js';
import type { Migration } from './migration.js';
import {
  CREATE_MIGRATION_TABLE,
  type MigrationProgress,
  readProgress,
  whileRunning,
} from './migration-progress.js';
import type { MigrationReport } from './migration-report.js';

/** The tables were made by a version whose migrations the present ones do not continue. */
export class EarlierTablesError extends Error {
  override readonly name = 'EarlierTablesError';

  constructor() {
    super(
      'The tables of this database were made by a version before 0.1.0, from which there is no upgrade: keep that version for it, or name an empty database.',
    );
  }
}

/**
 * Applies the missing migrations in order, while no other process does. The embedded database runs all of
 * them in one transaction. MySQL commits every DDL statement separately, so progress is recorded before and
 * after each statement. If a run is killed between a DDL statement and its record, that one statement may
 * find its effect already present.
 * @throws {EarlierTablesError}
 * @throws Error if an applied migration was edited later
 */
export async function applyMigrations(
  driver: Driver,
  migrations: readonly Migration[],
): Promise<MigrationReport> {
  return driver.exclusively(async (runner, inTransaction) => {
    await runner.write(CREATE_MIGRATION_TABLE, []);
    const progress = await readProgress(runner);
    const [first] = migrations;
    if (first && progress.size > 0 && progress.get(first.name)?.sha256 !== first.sha256)
      throw new EarlierTablesError();
    const applied: string[] = [];
    for (const migration of migrations) {
      const known = progress.get(migration.name);
      if (known !== undefined && known.sha256 !== migration.sha256) {
        throw new Error(`migration ${migration.name} has been edited since it was applied`);
      }
      if (known?.statementsDone === migration.statements.length) continue;
      await applyMigration(runner, inTransaction, migration, known);
      applied.push(migration.name);
    }
    return { applied, total: migrations.length };
  });
}

async function applyMigration(
  runner: StatementRunner,
  inTransaction: (body: () => Promise<void>) => Promise<void>,
  migration: Migration,
  known: MigrationProgress | undefined,
) {
  const { name, sha256, statements } = migration;
  const note = (value: number) =>
    runner.write('update gatehouse_migrations set statements_done = ? where name = ?', [value, name]);

  if (known === undefined) {
    await runner.write('insert into gatehouse_migrations (name, sha256, statements_done) values (?, ?, 0)', [
      name,
      sha256,
    ]);
  }
  const start = known?.statementsDone ?? 0;
  for (const [offset, statement] of statements.slice(start).entries()) {
    const done = start + offset;
    const mayBeDone = offset === 0 && known?.wasKilled === true;
    await note(whileRunning(done));
    try {
      await inTransaction(async () => {
        await runner.write(statement, []).catch((error: unknown) => {
          if (!(mayBeDone && effectExists(statement, error))) throw error;
        });
        await note(done + 1);
      });
    } catch (error) {
      await note(done).catch(() => undefined);
      throw error;
    }
  }
}
