import { createDatabase } from './create-database.js';
import type { Database } from './database.js';
import { type TraceStatement, tracedDriver } from './dialect/driver.js';
import { mysqlBuilder, mysqlVocabulary } from './dialect/mysql/mysql-vocabulary.js';
import { openMysqlDriver } from './dialect/mysql/open-mysql-driver.js';
import type { OpenOptions } from './open-options.js';
import { defineTables } from './tables/define-tables.js';

const tables = defineTables(mysqlVocabulary);

/** Opens the database of a `mysql://` URL. It connects at the first statement. */
export function openMysql(url: string, options: Required<OpenOptions>, trace?: TraceStatement): Database {
  const driver = openMysqlDriver(url, options);
  return createDatabase({
    dialect: 'mysql',
    tables,
    driver: trace ? tracedDriver(driver, trace) : driver,
    budget: { statementMs: options.queryTimeoutMs, transactionMs: options.transactionTimeoutMs },
    builder: mysqlBuilder,
  });
}
