import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type ListedMember, listedMemberColumns } from '../access/member-columns.js';
import { amongIds, idList } from '../page/among-ids.js';
import { prepareRead } from '../prepared.js';
import { contains } from '../text/contains.js';

/** The live ones of the given members, filtered by a text in the username if one is given; ascending. */
export async function listLiveMembersById(
  db: Database,
  ids: readonly number[],
  nameKey: string | undefined,
): Promise<ListedMember[]> {
  if (ids.length === 0) return [];
  const given = { ids: idList(db, ids) };
  return nameKey === undefined ? prepared(db, given) : statement(db, nameKey).prepare().execute(given);
}

const prepared = prepareRead((db) => statement(db, undefined));

function statement(db: Database, nameKey: string | undefined) {
  const { members } = db.tables;
  return db
    .select(listedMemberColumns(db.tables))
    .from(members)
    .where(
      and(
        amongIds(db, members.id, sql.placeholder('ids')),
        eq(members.isDeleted, false),
        nameKey === undefined ? undefined : contains(members.usernameKey, nameKey),
      ),
    )
    .orderBy(asc(members.id));
}
