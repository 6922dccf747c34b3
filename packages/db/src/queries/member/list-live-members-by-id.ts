import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { contains } from '../text/contains.js';
import { type MemberRow, memberColumns } from './member-columns.js';

/** Those of these members who are not deleted and have the text in the username, where one is given; ascending. */
export async function listLiveMembersById(
  db: Database,
  ids: readonly number[],
  nameKey: string | undefined,
): Promise<MemberRow[]> {
  if (ids.length === 0) return [];
  const { members } = db.tables;
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(
      and(
        amongIds(db, members.id, ids),
        eq(members.isDeleted, false),
        nameKey === undefined ? undefined : contains(members.usernameKey, nameKey),
      ),
    )
    .orderBy(asc(members.id));
}
