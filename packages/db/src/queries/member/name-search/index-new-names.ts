import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../../database.js';
import { indexMemberNames } from './index-member-names.js';

/**
 * Adds up to `limit` members to the substring search who are not in it yet, as after an upgrade. Returns how
 * many it added.
 */
export async function indexNewNames(db: Database, limit: number): Promise<number> {
  const { members } = db.tables;
  const unknown = await db
    .select({ id: members.id })
    .from(members)
    .where(and(isNull(members.searchedName), eq(members.isDeleted, false)))
    .limit(limit);
  return db.transaction((tx) =>
    indexMemberNames(
      tx,
      unknown.map(({ id }) => id),
    ),
  );
}
