import type { Database } from '@gatehouse/db/database';

/**
 * Moves the erasure of closed or deleted data closer by a given time, because erasure uses the database's
 * clock.
 */
export async function endGrace(db: Database, byMs: number): Promise<void> {
  for (const table of ['members', 'accounts'])
    await db.write({
      toSQL: () => ({
        sql: `update ${table} set erases_at_ms = erases_at_ms - ? where erases_at_ms is not null`,
        params: [byMs],
      }),
    });
}
