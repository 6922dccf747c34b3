import { createDatabase, type DatabaseParts } from './create-database.js';
import type { Database } from './database.js';
import { type TraceStatement, tracedDriver } from './dialect/driver.js';
import { libsqlBuilder, libsqlVocabulary } from './dialect/libsql/libsql-vocabulary.js';
import { openLibsqlDriver } from './dialect/libsql/open-libsql-driver.js';
import type { OpenOptions } from './open-options.js';
import { embeddedPath } from './open-options.js';
import { defineTables, uniqueIndexNames } from './tables/define-tables.js';

const tables = defineTables(libsqlVocabulary);
const indexNames = uniqueIndexNames(tables);

/** Opens the embedded database of a `file:` URL, absolute (`file:///data/g.db`) or relative (`file:.data/g.db`). */
export async function openLibsql(
  url: string,
  options: Required<OpenOptions>,
  trace?: TraceStatement,
): Promise<Database> {
  const driver = await openLibsqlDriver(embeddedPath(url), indexNames, options);
  const parts: DatabaseParts = {
    dialect: 'libsql',
    tables,
    driver: trace ? tracedDriver(driver, trace) : driver,
    budget: {
      statementMs: Math.max(options.queryTimeoutMs, options.writeLockTimeoutMs),
      transactionMs: Math.max(options.transactionTimeoutMs, options.writeLockTimeoutMs),
    },
    builder: libsqlBuilder,
  };
  return createDatabase(parts);
}
