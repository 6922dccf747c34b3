import type { Database } from '@gatehouse/db';

/** Lets what is closed or deleted be as much nearer to its erasure, which goes by the database's clock. */
export async function endGrace(db: Database, byMs: number): Promise<void> {
  for (const table of ['members', 'accounts'])
    await db.write({
      toSQL: () => ({
        sql: `update ${table} set erases_at_ms = erases_at_ms - ? where erases_at_ms is not null`,
        params: [byMs],
      }),
    });
}
