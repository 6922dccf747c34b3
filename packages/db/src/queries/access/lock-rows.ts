import { type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';

/** `share` lets others read and share the rows; `exclusive` does not. Neither lets others change them. */
export type LockMode = 'share' | 'exclusive';

/** MariaDB has no `FOR SHARE`. */
const CLAUSES: Readonly<Record<LockMode, string>> = { share: 'lock in share mode', exclusive: 'for update' };

/**
 * Locks rows until the transaction ends; later reads in it see them unchanged. The embedded database has one
 * writer and needs no lock.
 * @param column a column outside the indexes: if an index has all selected columns, InnoDB locks only its
 * entry
 */
export async function lockRows(
  tx: Database,
  table: MySqlTable,
  { column, where, mode }: { column: MySqlColumn; where: SQL | undefined; mode: LockMode },
): Promise<void> {
  if (tx.dialect === 'libsql') return;
  await tx
    .select({ column })
    .from(table)
    .where(sql`${where} ${sql.raw(CLAUSES[mode])}`);
}
