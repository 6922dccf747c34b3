import { and, type Column, eq, gte, lte, type Placeholder, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * True for rows whose column has the value, for the leading index columns of a paged list. The order must
 * name them too. After an equality MariaDB scans every equal row up to the page; after a range of one value
 * it goes straight to the page. The embedded database does the opposite.
 */
export function pinnedTo(
  db: Database,
  column: Column,
  value: number | string | Placeholder,
): SQL | undefined {
  return db.dialect === 'mysql' ? and(gte(column, value), lte(column, value)) : eq(column, value);
}
