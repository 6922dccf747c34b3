import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';

/** What somebody is called. */
export interface MemberName {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
}

/** The names of members, deleted ones included. */
export async function listMemberNames(db: Database, memberIds: readonly number[]): Promise<MemberName[]> {
  if (memberIds.length === 0) return [];
  const { members } = db.tables;
  const { id, username, firstName, lastName } = members;
  return db
    .select({ id, username, firstName, lastName })
    .from(members)
    .where(amongIds(db, id, memberIds));
}
