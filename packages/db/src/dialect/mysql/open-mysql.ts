import { createDatabase } from '../../create-database.js';
import type { Database } from '../../database.js';
import type { OpenOptions } from '../../open-options.js';
import { defineTables } from '../../tables/define-tables.js';
import { mysqlBuilder } from './mysql-builder.js';
import { openMysqlDriver } from './open-mysql-driver.js';
import { mysqlVocabulary } from './vocabulary.js';

const tables = defineTables(mysqlVocabulary);

/** Opens the database of a `mysql://` URL; the first statement makes the first connection. */
export function openMysql(url: string, options: Required<OpenOptions>): Database {
  return createDatabase({
    dialect: 'mysql',
    tables,
    driver: openMysqlDriver(url, options),
    builder: mysqlBuilder,
  });
}
