import type { StatementRunner } from '../dialect/driver.js';

/**
 * The progress table, the same in both dialects. While a statement runs, `statements_done` is the negated
 * count of those before it, minus one. This distinguishes a killed run from a failed one.
 */
export const CREATE_MIGRATION_TABLE = `create table if not exists gatehouse_migrations (
  name varchar(255) not null primary key,
  sha256 varchar(64) not null,
  statements_done integer not null
)`;

/** The progress of one migration. */
export interface MigrationProgress {
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
