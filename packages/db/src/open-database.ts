import type { Database } from './database.js';
import type { TraceStatement } from './dialect/driver.js';
import { DEFAULT_OPEN_OPTIONS, type OpenOptions } from './open-options.js';

/**
 * Opens a database by URL. `file:…` is the embedded one, created if missing.
 * `mysql://user:password@host:port/name` is MySQL 8, MariaDB from 10.6 or a cluster of either; it connects at
 * the first use.
 * @param trace called for each statement
 * @throws TypeError if the URL is of another kind
 */
export async function openDatabase(
  url: string,
  options: OpenOptions = {},
  trace?: TraceStatement,
): Promise<Database> {
  const bounds = { ...DEFAULT_OPEN_OPTIONS, ...options };
  if (url.startsWith('file:')) {
    const { openLibsql } = await import('./open-libsql.js');
    return openLibsql(url, bounds, trace);
  }
  if (url.startsWith('mysql://')) {
    const { openMysql } = await import('./open-mysql.js');
    return openMysql(url, bounds, trace);
  }
  throw new TypeError('a database URL starts with file: or mysql://');
}
