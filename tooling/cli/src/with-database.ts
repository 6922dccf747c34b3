import { type Database, openDatabase } from '@gatehouse/db';
import type { CommandContext } from './command.js';
import { databaseUrls } from './database-urls.js';

/**
 * Opens the database for one command and closes it afterwards: as the services do, or as somebody who may change its tables
 * and its audit log.
 * @throws {ConfigError} when its URL is not valid.
 */
export async function withDatabase<Result>(
  context: CommandContext,
  body: (db: Database) => Promise<Result>,
  as: 'serving' | 'migrating' = 'serving',
): Promise<Result> {
  const db = await openDatabase(databaseUrls(context)[as]);
  try {
    return await body(db);
  } finally {
    await db.close();
  }
}
