import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberRow, memberColumns } from './member-columns.js';

/** Those of these members who are not deleted, ascending. */
export async function listLiveMembersById(db: Database, ids: readonly number[]): Promise<MemberRow[]> {
  if (ids.length === 0) return [];
  const { members } = db.tables;
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(and(inArray(members.id, [...ids]), eq(members.isDeleted, false)))
    .orderBy(asc(members.id));
}
