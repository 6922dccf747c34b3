import type { StatementRunner } from '../dialect/driver.js';

/** The runner's own table, written alike in both dialects. */
export const CREATE_MIGRATION_TABLE = `create table if not exists gatehouse_migrations (
  name varchar(255) not null primary key,
  sha256 varchar(64) not null,
  statements_done integer not null
)`;

/** How far one migration has come. */
export interface MigrationProgress {
  sha256: string;
  statementsDone: number;
}

/** How far each migration has come, by name; a migration that was never begun is not in it. */
export async function readProgress(runner: StatementRunner): Promise<Map<string, MigrationProgress>> {
  const rows = await runner.read('select name, sha256, statements_done from gatehouse_migrations', []);
  return new Map(
    rows.map(([name, sha256, statementsDone]) => [
      String(name),
      { sha256: String(sha256), statementsDone: Number(statementsDone) },
    ]),
  );
}
