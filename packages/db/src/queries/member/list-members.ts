import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type ListedMember, listedMemberColumns } from '../access/member-columns.js';
import type { MemberScope } from '../membership/member-scope.js';
import { prepareRead } from '../prepared.js';
import { listMembersOfAccounts, type MemberIdSource } from './list-members-of-accounts.js';

/** The start of a page by ascending id, and its size. */
interface IdPage {
  afterId: number;
  limit: number;
}

/**
 * The live members of the accounts in scope, each once, by ascending id.
 * @param listIds the source of the ids of members of several accounts, by default the database
 */
export async function listMembers(
  db: Database,
  scope: MemberScope,
  page: IdPage,
  listIds?: MemberIdSource,
): Promise<ListedMember[]> {
  return scope.all
    ? preparedForAll(db, { ...page })
    : listMembersOfAccounts(db, scope.accountIds, page, listIds);
}

const preparedForAll = prepareRead((db) => {
  const { members } = db.tables;
  return db
    .select(listedMemberColumns(db.tables))
    .from(members)
    .where(and(gt(members.id, sql.placeholder('afterId')), eq(members.isDeleted, false)))
    .orderBy(asc(members.id))
    .limit(sql.placeholder('limit'));
});
