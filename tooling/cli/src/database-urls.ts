import { configShape, readConfig } from '@gatehouse/features/core/config';
import type { CommandContext } from './command.js';
import { CommandError } from './command-error.js';
import { operatorConfigShape } from './config.js';

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

/** The hosts may differ: one may be a proxy before the other. */
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
