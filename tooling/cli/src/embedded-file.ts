import { embeddedPath } from '@gatehouse/db';
import type { CommandContext } from './command.js';
import { CommandError } from './command-error.js';
import { databaseUrls } from './database-urls.js';

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
