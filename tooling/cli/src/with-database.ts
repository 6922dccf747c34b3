import { createRoles, type Roles } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { CommitUnknownError, DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { explainUnavailable } from '@gatehouse/db/explain-unavailable';
import { openDatabase } from '@gatehouse/db/open-database';
import { embeddedPath } from '@gatehouse/db/open-options';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { explainPending } from '@gatehouse/features/deployment/until-ready';
import { databaseUrl } from '@gatehouse/runtime/config/config-values';
import type { CommandContext } from './command.js';
import { CommandError } from './command-error.js';

/** Settings only the operator's command line reads. The services must not have them. */
export const operatorConfigShape = {
  MIGRATION_DATABASE_URL: databaseUrl
    .refine((value) => value.startsWith('mysql://'), 'must begin with mysql://')
    .optional(),
} as const;

/**
 * The database URL of the services, and that of the user who may change its tables and audit log. They are equal
 * unless MIGRATION_DATABASE_URL is set.
 * @throws {ConfigError} when one of them is not valid.
 * @throws {CommandError} when they name different databases.
 */
export function databaseUrls({ env }: Pick<CommandContext, 'env'>): {
  serving: string;
  migrating: string;
  areTwo: boolean;
} {
  const { DATABASE_URL } = configShape;
  const config = readConfig({ DATABASE_URL, ...operatorConfigShape }, env);
  const serving = config.DATABASE_URL;
  const migrating = config.MIGRATION_DATABASE_URL ?? serving;
  requireSameDatabase(serving, migrating);
  return { serving, migrating, areTwo: migrating !== serving };
}

/** The hosts may differ: one may be a proxy for the other. */
function requireSameDatabase(serving: string, migrating: string): void {
  const [ofServices, ofMigrations] = [databaseIn(serving), databaseIn(migrating)];
  if (serving === migrating || ofServices === ofMigrations) return;
  const named =
    ofServices === undefined ? 'DATABASE_URL the embedded one' : `DATABASE_URL the database ${ofServices}`;
  throw new CommandError(
    `MIGRATION_DATABASE_URL names the database ${ofMigrations}, and ${named}: correct the one that is wrong.`,
  );
}

/** The name of a database on a server; undefined for the embedded database. */
function databaseIn(url: string): string | undefined {
  return url.startsWith('mysql://') ? decodeURIComponent(new URL(url).pathname.slice(1)) : undefined;
}

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

/**
 * The file of the embedded database.
 * @throws {CommandError} if the database is on a server
 */
export function embeddedFile(context: CommandContext): string {
  const { serving } = databaseUrls(context);
  if (serving.startsWith('file:')) return embeddedPath(serving);
  throw new CommandError(
    'This is for the embedded database. Of MariaDB and MySQL use mariadb-dump or mysqldump, as docs/operations.md says under Backup and restore.',
  );
}

/**
 * The roles with the numbers of the environment.
 * @throws {ConfigError} when a number is not valid.
 */
export function rolesIn({ env }: CommandContext): Roles {
  const { DESIGNER, USER_MEMBER, ACCOUNT_MANAGER, PRODUCT_PERMISSIONS } = configShape;
  const numbers = readConfig({ DESIGNER, USER_MEMBER, ACCOUNT_MANAGER, PRODUCT_PERMISSIONS }, env);
  const { DESIGNER: designer, USER_MEMBER: userMember, ACCOUNT_MANAGER: accountManager } = numbers;
  return createRoles({ designer, userMember, accountManager }, numbers.PRODUCT_PERMISSIONS);
}
