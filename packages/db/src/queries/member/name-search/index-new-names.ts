import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../../database.js';
import { indexMemberNames } from './index-member-names.js';

/**
 * Lets the substring search know up to `limit` members of whom it has no name yet, as those are who were there before
 * it; returns of how many it learned the name.
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
