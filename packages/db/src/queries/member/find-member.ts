import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberRow, memberColumns } from '../access/member-columns.js';
import { prepareOnce } from '../prepare-once.js';

const prepared = prepareOnce((db) =>
  db
    .select(memberColumns(db.tables))
    .from(db.tables.members)
    .where(eq(db.tables.members.id, sql.placeholder('memberId')))
    .prepare(),
);

/** A member by id, deleted ones included. */
export async function findMember(db: Database, memberId: number): Promise<MemberRow | undefined> {
  const [row] = await prepared(db).execute({ memberId });
  return row;
}
