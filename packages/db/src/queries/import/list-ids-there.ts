import { inArray } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Which of these ids a table has. */
export async function listIdsThere(
  tx: AccessTransaction,
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
