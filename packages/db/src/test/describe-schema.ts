import { fileURLToPath } from 'node:url';
import type { Driver } from '../dialect/driver.js';
import { openLibsqlDriver } from '../dialect/libsql/open-libsql-driver.js';
import { openMysqlDriver } from '../dialect/mysql/open-mysql-driver.js';
import { DEFAULT_OPEN_OPTIONS } from '../open-options.js';

/** Opens the driver directly, for features that the handle does not offer. */
export async function openDriver(url: string): Promise<Driver> {
  return url.startsWith('file:')
    ? openLibsqlDriver(fileURLToPath(url), new Map(), DEFAULT_OPEN_OPTIONS)
    : openMysqlDriver(url, DEFAULT_OPEN_OPTIONS);
}

/** Every table, column and index of a database, in a form that compares between databases. */
export async function describeSchema(url: string): Promise<string[]> {
  const driver = await openDriver(url);
  try {
    const statements = url.startsWith('file:')
      ? ["select type, name, sql from sqlite_master where name not like 'sqlite_%'"]
      : [
          `select 'column', table_name, column_name, column_type, is_nullable, column_default, collation_name, extra
             from information_schema.columns where table_schema = database()`,
          `select 'index', table_name, index_name, seq_in_index, column_name, non_unique
             from information_schema.statistics where table_schema = database()`,
        ];
    const answers = await Promise.all(statements.map((statement) => driver.read(statement, [])));
    return answers
      .flat()
      .map((row) => row.join(' '))
      .sort();
  } finally {
    await driver.close();
  }
}
