import type { Database } from '../../database.js';
import type { ListedMember } from '../access/member-columns.js';
import type { MemberScope } from '../membership/member-scope.js';
import { listMembersOfAccounts, type MemberIdSource } from './list-members-of-accounts.js';
import { listNamedMembers, type NameCursor } from './list-named-members.js';

/** A member whom a search found, and what the next page goes on from. */
export interface FoundMember extends ListedMember {
  cursor: NameCursor;
}

/**
 * The members of the accounts in scope whose username has the text in it, each once, deleted ones left out. Within
 * accounts they come by ascending id, among all members by how the name goes on from the text.
 *
 * @param search `nameKey` is normalised text, not empty, in which wildcards mean themselves
 * @param listIds as of `listMembers`
 */
export async function searchMembers(
  db: Database,
  scope: MemberScope,
  search: { nameKey: string; after?: NameCursor | undefined; limit: number },
  listIds?: MemberIdSource,
): Promise<FoundMember[]> {
  if (scope.all) return listNamedMembers(db, search);
  const { nameKey, after, limit } = search;
  const page = { afterId: after?.memberId ?? 0, limit, nameKey };
  const found = await listMembersOfAccounts(db, scope.accountIds, page, listIds);
  return found.map((row) => ({ cursor: { part: '', memberId: row.id }, ...row }));
}
