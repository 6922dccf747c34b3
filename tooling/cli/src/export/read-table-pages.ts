import type { Database } from '@gatehouse/db/database';
import { keyOfRow, listWholeRows, type RowKey, type WholeRow } from '@gatehouse/db/queries/read-whole-tables';
import type { TableName } from './table-plans.js';

/** How many characters a page should have. */
const PAGE_LENGTH = 1024 * 1024;

const FIRST_ROWS = 50;
const MOST_ROWS = 1_000;

/**
 * The rows of a table in the order of their keys, a page at a time. A page has as many rows as make about a megabyte by the size
 * of the earlier ones, and at most twice as many as the previous page.
 * @param lengthOf the characters that a page became
 */
export async function* readTablePages(
  db: Database,
  table: TableName,
  lengthOf: () => number,
): AsyncGenerator<WholeRow[]> {
  let limit = FIRST_ROWS;
  let after: RowKey | undefined;
  for (;;) {
    const rows = await listWholeRows(db, table, { after, limit });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < limit) return;
    after = keyOfRow(db, table, last);
    const fitting = Math.floor((rows.length * PAGE_LENGTH) / Math.max(1, lengthOf()));
    limit = Math.max(1, Math.min(MOST_ROWS, 2 * limit, fitting));
  }
}
