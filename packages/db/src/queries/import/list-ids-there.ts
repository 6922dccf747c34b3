import { inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Tables } from '../../tables/define-tables.js';

/** Which of these ids a table has. */
export async function listIdsThere(
  tx: Pick<Database, 'select' | 'tables'>,
  table: Tables['members'] | Tables['accounts'],
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(inArray(table.id, [...new Set(ids)]));
  return new Set(rows.map((row) => row.id));
}
