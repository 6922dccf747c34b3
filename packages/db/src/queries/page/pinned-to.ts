import { and, type Column, eq, gte, lte, type Placeholder, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * True of rows whose column has the value, for the columns of an index that stand before the one a page goes on from;
 * the order has to name them too. After an equality MariaDB reads all that is equal and leaves out what lies before the
 * page, so that a deep page costs as much as all before it; after a range of one value it goes straight to the page. The
 * embedded database does the opposite.
 */
export function pinnedTo(
  db: Database,
  column: Column,
  value: number | string | Placeholder,
): SQL | undefined {
  return db.dialect === 'mysql' ? and(gte(column, value), lte(column, value)) : eq(column, value);
}
