import { and, asc, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { hasImportedHash } from './has-imported-hash.js';

/** Hashes still to be wrapped or counted, by ascending member id; `afterId` pages on. */
export async function listImportedHashes(
  db: Database,
  afterId: number,
  limit: number,
): Promise<{ id: number; password: string }[]> {
  const { members } = db.tables;
  return db
    .select({ id: members.id, password: members.password })
    .from(members)
    .where(and(gt(members.id, afterId), hasImportedHash(db.tables)))
    .orderBy(asc(members.id))
    .limit(limit);
}
