import type { StatementRunner } from '../dialect/driver.js';

/**
 * The runner's own table, written alike in both dialects. While a statement is being run, `statements_done` is the
 * number of those before it, counted from -1 downwards, so that a run that was killed can be told from one that failed.
 */
export const CREATE_MIGRATION_TABLE = `create table if not exists gatehouse_migrations (
  name varchar(255) not null primary key,
  sha256 varchar(64) not null,
  statements_done integer not null
)`;

/** How far one migration has come. */
export interface MigrationProgress {
  sha256: string;
  statementsDone: number;
  /** Whether a run ended while it was running the next statement, which may have had its effect or not. */
  wasKilled: boolean;
}

/** What is stored while the statement after these is being run. */
export function whileRunning(statementsDone: number): number {
  return -1 - statementsDone;
}

/** How far each migration has come, by name; a migration that was never begun is not in it. */
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
