import { and, eq, isNotNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberDetail, memberDetailColumns } from '../member/find-member.js';

/** A current staff member, or a disabled one. */
export async function findPersonnel(db: Database, personnelId: number): Promise<MemberDetail | undefined> {
  const { members } = db.tables;
  const [row] = await db
    .select(memberDetailColumns(db.tables))
    .from(members)
    .where(
      and(
        eq(members.id, personnelId),
        eq(members.isDeleted, false),
        or(eq(members.isPersonnel, true), isNotNull(members.personnelEndedAtMs)),
      ),
    );
  return row;
}
