import { count } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { hasImportedHash } from './has-imported-hash.js';

/** How many members' passwords are imported hashes still to be wrapped or counted. Reads every member. */
export async function countImportedHashes(db: Database): Promise<number> {
  const { members } = db.tables;
  const [row] = await db.select({ count: count() }).from(members).where(hasImportedHash(db.tables));
  return row?.count ?? 0;
}
