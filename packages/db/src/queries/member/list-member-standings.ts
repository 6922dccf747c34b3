import { sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { banEnd } from '../access/ban-columns.js';
import { amongIds, idList } from '../page/among-ids.js';
import { prepareRead } from '../prepared.js';

/** Whether a member is staff, and until when they are banned. */
export interface MemberStanding {
  memberId: number;
  isPersonnel: boolean;
  /** See `isBanned`. */
  bannedUntilMs: number;
}

/** The standing of each of the given members, deleted ones included. */
export async function listMemberStandings(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MemberStanding>> {
  if (ids.length === 0) return new Map();
  const rows = await prepared(db, { ids: idList(db, ids) });
  return new Map(rows.map((row) => [row.memberId, row]));
}

const prepared = prepareRead((db) => {
  const { members } = db.tables;
  return db
    .select({ memberId: members.id, isPersonnel: members.isPersonnel, bannedUntilMs: banEnd(db.tables) })
    .from(members)
    .where(amongIds(db, members.id, sql.placeholder('ids')));
});
