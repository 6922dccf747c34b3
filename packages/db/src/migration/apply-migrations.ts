import type { MigrationReport } from '../database.js';
import type { Driver, StatementRunner } from '../dialect/driver.js';

/** One migration of the package. */
export interface Migration {
  /** Its file name without the extension: `0001_add_affiliates`. */
  name: string;
  /** The hexadecimal SHA-256 of the file. */
  sha256: string;
  statements: string[];
}

/**
 * The progress table, the same in both dialects. While a statement runs, `statements_done` is the negated
 * count of those before it, minus one. This distinguishes a killed run from a failed one.
 */
const CREATE_MIGRATION_TABLE = `create table if not exists gatehouse_migrations (
  name varchar(255) not null primary key,
  sha256 varchar(64) not null,
  statements_done integer not null
)`;

/** The progress of one migration. */
interface MigrationProgress {
  sha256: string;
  statementsDone: number;
  /** Whether a run was killed during the next statement, which may or may not have had its effect. */
  wasKilled: boolean;
}

/** The stored value while the next statement runs. */
export function whileRunning(statementsDone: number): number {
  return -1 - statementsDone;
}

/** The progress of each started migration, by name. */
export async function readProgress(
  runner: Pick<StatementRunner, 'read'>,
): Promise<Map<string, MigrationProgress>> {
  const rows = await runner.read('select name, sha256, statements_done from gatehouse_migrations', []);
  return new Map(
    rows.map(([name, sha256, stored]) => {
      const wasKilled = Number(stored) < 0;
      const statementsDone = wasKilled ? whileRunning(Number(stored)) : Number(stored);
      return [String(name), { sha256: String(sha256), statementsDone, wasKilled }];
    }),
  );
}

/** The table, column or index to create exists, or the one to drop is gone. */
const MADE_OR_GONE = new Set([1050, 1060, 1061, 1051, 1091]);

/** The table or column to rename is gone already. */
const RENAMED = new Set([1146, 1054]);

/** Whether MySQL refused a DDL statement because its effect is already present. */
function effectExists(statement: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return false;
  if (!/^(create|alter|drop|rename)\b/i.test(statement)) return false;
  return MADE_OR_GONE.has(error.errno) || (/\brename\b/i.test(statement) && RENAMED.has(error.errno));
}

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
