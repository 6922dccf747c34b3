import type { Database } from '../../database.js';
import { startsWith } from '../text/starts-with.js';

/** Deletes every counter whose key starts with a text. Returns how many there were. */
export async function removeLimits(db: Database, prefix: string): Promise<number> {
  const { limits } = db.tables;
  return db.write(db.delete(limits).where(startsWith(limits.key, prefix)));
}
