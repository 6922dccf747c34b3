import {
  CommitUnknownError,
  type Database,
  DatabaseUnavailableError,
  explainUnavailable,
  openDatabase,
} from '@gatehouse/db';
import { explainPending } from '@gatehouse/features/deployment/until-ready';
import type { CommandContext } from './command.js';
import { CommandError } from './command-error.js';
import { databaseUrls } from './database-urls.js';

interface Needs {
  /** The database user: the services' own, or the one who may change tables and the audit log. */
  readonly as?: 'serving' | 'migrating';
  /** The required tables: those of this version, unless the command checks for itself. */
  readonly tables?: 'current' | 'any';
  /** Whether statements end after seconds, as those of services do; true by default. */
  readonly inHaste?: boolean;
}

const NO_HURRY = { queryTimeoutMs: 3_600_000, transactionTimeoutMs: 3_600_000 };

/**
 * Opens the database for one command and closes it afterwards.
 * @throws {ConfigError} if its URL is not valid.
 * @throws {CommandError} if it cannot be reached, denies access, or has pending migrations.
 */
export async function withDatabase<Result>(
  context: CommandContext,
  body: (db: Database) => Promise<Result>,
  { as = 'serving', tables = 'current', inHaste = true }: Needs = {},
): Promise<Result> {
  const urls = databaseUrls(context);
  const url = urls[as];
  const variable = as === 'migrating' && urls.areTwo ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  try {
    const db = await openDatabase(url, inHaste ? {} : NO_HURRY);
    try {
      if (tables === 'current') await requireTables(db);
      return await body(db);
    } finally {
      await db.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    const doubt =
      error instanceof CommitUnknownError
        ? ' What it was writing is kept or is not: look before you run it again.'
        : '';
    throw new CommandError(`${explainUnavailable(error, url, variable)}${doubt}`, { cause: error });
  }
}

async function requireTables(db: Database): Promise<void> {
  const { length } = await db.pendingMigrations();
  if (length > 0) throw new CommandError(explainPending(length));
}
