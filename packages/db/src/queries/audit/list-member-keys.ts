import { inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The encrypted keys of members, by member. Members without a key, and erased ones, are absent. */
export async function listMemberKeys(
  db: Database,
  memberIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (memberIds.length === 0) return new Map();
  const { memberId, key } = db.tables.memberKeys;
  const rows = await db
    .select({ memberId, key })
    .from(db.tables.memberKeys)
    .where(inArray(memberId, [...memberIds]));
  return new Map(rows.map((row) => [row.memberId, row.key]));
}
