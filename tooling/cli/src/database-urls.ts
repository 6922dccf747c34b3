import { configShape, readConfig } from '@gatehouse/features/app/config';
import type { CommandContext } from './command.js';
import { operatorConfigShape } from './config.js';

/**
 * The database URL of the services, and that of the user who may change its tables and audit log. They are equal
 * unless MIGRATION_DATABASE_URL is set.
 * @throws {ConfigError} when one of them is not valid.
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
  return { serving, migrating, areTwo: migrating !== serving && serving.startsWith('mysql://') };
}
