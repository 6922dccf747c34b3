import { asc, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberRow, memberColumns } from './member-columns.js';

/** These members, ascending; deleted ones included. */
export async function listMembersById(db: Database, ids: readonly number[]): Promise<MemberRow[]> {
  if (ids.length === 0) return [];
  const { members } = db.tables;
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(inArray(members.id, [...ids]))
    .orderBy(asc(members.id));
}
