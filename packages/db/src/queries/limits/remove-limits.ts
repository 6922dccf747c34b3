import type { Database } from '../../database.js';
import { startsWith } from '../text/starts-with.js';

/** Forgets every counter whose key starts with a text; returns how many there were. */
export async function removeLimits(db: Database, prefix: string): Promise<number> {
  const { limits } = db.tables;
  return db.write(db.delete(limits).where(startsWith(limits.key, prefix)));
}
