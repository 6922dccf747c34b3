import { kitConfigShape, readConfig } from '@gatehouse/api-kit';
import { type Database, openDatabase } from '@gatehouse/db';
import type { CommandContext } from './command.js';

/**
 * Opens the database of DATABASE_URL for one command and closes it afterwards.
 * @throws {ConfigError} when DATABASE_URL is not valid.
 */
export async function withDatabase<Result>(
  { env }: CommandContext,
  body: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL } = readConfig({ DATABASE_URL: kitConfigShape.DATABASE_URL }, env);
  const db = await openDatabase(DATABASE_URL);
  try {
    return await body(db);
  } finally {
    await db.close();
  }
}
