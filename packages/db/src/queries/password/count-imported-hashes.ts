import { count } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { hasImportedHash } from './has-imported-hash.js';

/** How many members' passwords are hashes that are to be wrapped or counted; reads every member. */
export async function countImportedHashes(db: Database): Promise<number> {
  const { members } = db.tables;
  const [row] = await db.select({ count: count() }).from(members).where(hasImportedHash(db.tables));
  return row?.count ?? 0;
}
