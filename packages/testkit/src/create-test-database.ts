import { type Database, type OpenOptions, openDatabase } from '@gatehouse/db';
import { createTestFile } from './create-test-file.js';
import { createTestSchema } from './create-test-schema.js';

/** The database of a test. */
export type TestDialect = Database['dialect'];

/** An empty, migrated database that belongs to one test. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/**
 * Creates a migrated database for one test; `await using` removes it.
 *
 * @throws Error for MySQL without a server in TEST_MYSQL_URL
 */
export async function createTestDatabase(
  dialect: TestDialect,
  options: OpenOptions = {},
): Promise<TestDatabase> {
  const place = await (dialect === 'libsql' ? createTestFile() : createTestSchema());
  const database = await openDatabase(place.url, options);
  return {
    url: place.url,
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
