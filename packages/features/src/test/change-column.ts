import type { Database } from '@gatehouse/db/database';

/** Writes one column of the rows with an id, past every rule, to put a test into a state that would take long to reach. */
export async function changeColumn(
  db: Database,
  place: { readonly table: string; readonly column: string; readonly by?: string; readonly id: number },
  value: number | string | null,
): Promise<void> {
  const { table, column, by = 'id', id } = place;
  const sql = `update ${table} set ${column} = ? where ${by} = ?`;
  await db.write({ toSQL: () => ({ sql, params: [value, id] }) });
}
