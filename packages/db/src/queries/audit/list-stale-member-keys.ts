import { asc, not } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { startsWith } from '../text/starts-with.js';

/**
 * The keys of members that are not encrypted with the current key. It reads every key, so use it only during
 * a key rotation.
 */
export async function listStaleMemberKeys(
  db: Database,
  { currentPrefix, limit }: { currentPrefix: string; limit: number },
): Promise<{ memberId: number; key: string }[]> {
  const { id, memberId, key } = db.tables.memberKeys;
  return db
    .select({ memberId, key })
    .from(db.tables.memberKeys)
    .where(not(startsWith(key, currentPrefix)))
    .orderBy(asc(id))
    .limit(limit);
}
