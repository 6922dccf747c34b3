import type { Database } from '../../database.js';
import type { ListedMember } from '../access/member-columns.js';
import type { MemberScope } from '../membership/member-scope.js';
import { listMembersOfAccounts, type MemberIdSource } from './list-members-of-accounts.js';
import { listNamedMembers, type NameCursor } from './list-named-members.js';

/** A member found by a search, with the cursor of the next page. */
export interface FoundMember extends ListedMember {
  cursor: NameCursor;
}

/**
 * The live members in scope whose username contains the text, each once. Within accounts they are ordered by
 * id, among all members by the rest of the name from the match on.
 * @param search `nameKey` is normalised text, not empty, without wildcards
 * @param listIds as in `listMembers`
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
