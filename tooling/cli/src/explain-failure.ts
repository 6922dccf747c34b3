import { BackupError } from '@gatehouse/db/backup/backup-file';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { explainUnavailable } from '@gatehouse/db/explain-unavailable';
import { EarlierTablesError } from '@gatehouse/db/migration/apply-migrations';
import { ReplacedDatabaseError } from '@gatehouse/db/replaced/open-replaced-database';
import { ConfigError } from '@gatehouse/features/core/config';
import type { CommandContext } from './command.js';
import { CommandError } from './command-error.js';

/** Errors whose message says to an operator what to do. */
const OF_OPERATORS = [ConfigError, CommandError, BackupError, EarlierTablesError, ReplacedDatabaseError];

const MISSING_RIGHTS = new Set([1044, 1142, 1143, 1227]);

const ABOUT_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'There is no file',
  EACCES: 'This user may not open',
  EISDIR: 'It is a folder and no file:',
  ENOTDIR: 'There is no file',
  ENOSPC: 'There is no room left for',
};

/** The final message of a failed command. */
export function explainFailure(error: unknown, { env }: Pick<CommandContext, 'env'>): string {
  if (error instanceof Error && OF_OPERATORS.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseUnavailableError)
    return explainUnavailable(error, env['DATABASE_URL'] ?? 'file:.data/gatehouse.db');
  if (error instanceof Error && 'errno' in error && MISSING_RIGHTS.has(Number(error.errno)))
    return `The database user may not do this: name one who may in MIGRATION_DATABASE_URL, or let somebody run what gatehouse grants prints. (${error.message})`;
  if (error instanceof Error && 'code' in error && 'path' in error) {
    const what = ABOUT_FILES[String(error.code)];
    if (what !== undefined) return `${what} ${String(error.path)}.`;
  }
  return String(error);
}
