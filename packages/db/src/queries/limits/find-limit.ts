import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareOnce } from '../prepare-once.js';

/** A counter as it stands. Its window may be over. */
export interface LimitRow {
  points: number;
  /** When the window ends, in epoch milliseconds. */
  endsAtMs: number | null;
}

const prepared = prepareOnce((db) => {
  const { key, points, expiresAtMs } = db.tables.limits;
  return db
    .select({ points, endsAtMs: expiresAtMs })
    .from(db.tables.limits)
    .where(eq(key, sql.placeholder('key')))
    .prepare();
});

/** A counter; undefined for an unused one. */
export async function findLimit(db: Database, key: string): Promise<LimitRow | undefined> {
  const [row] = await prepared(db).execute({ key });
  return row;
}
