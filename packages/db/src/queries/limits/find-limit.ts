import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareRead } from '../prepared.js';

/** A counter as it stands. Its window may be over. */
export interface LimitRow {
  points: number;
  /** When the window ends, in epoch milliseconds. */
  endsAtMs: number | null;
}

const prepared = prepareRead((db) => {
  const { key, points, expiresAtMs } = db.tables.limits;
  return db
    .select({ points, endsAtMs: expiresAtMs })
    .from(db.tables.limits)
    .where(eq(key, sql.placeholder('key')));
});

/** A counter; undefined for an unused one. */
export async function findLimit(db: Database, key: string): Promise<LimitRow | undefined> {
  const [row] = await prepared(db, { key });
  return row;
}
