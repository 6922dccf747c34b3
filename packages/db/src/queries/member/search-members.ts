import type { Database } from '../../database.js';
import { listNamedMembers, type NameCursor } from '../member-name/list-named-members.js';
import { listMemberIds } from './list-member-ids.js';
import type { MemberScope } from './list-members.js';
import { listMembersById } from './list-members-by-id.js';
import { listMembersOfAccount } from './list-members-of-account.js';
import type { MemberRow } from './member-columns.js';

/** A member whom a search found, and what the next page goes on from. */
export interface FoundMember extends MemberRow {
  cursor: NameCursor;
}

/**
 * The members of the accounts in scope whose username has the text in it, each once, deleted ones left out. Within
 * accounts they come by ascending id, among all members by how the name goes on from the text.
 *
 * @param search `nameKey` is normalised text, not empty, in which wildcards mean themselves
 */
export async function searchMembers(
  db: Database,
  scope: MemberScope,
  search: { nameKey: string; after?: NameCursor | undefined; limit: number },
): Promise<FoundMember[]> {
  if (scope.all) return listNamedMembers(db, search);
  const found = await searchAccounts(db, scope.accountIds, search);
  return found.map((row) => ({ ...row, cursor: { part: '', memberId: row.id } }));
}

/** The members of an account are few enough to look at each name, which their index holds. */
async function searchAccounts(
  db: Database,
  accountIds: readonly number[],
  { nameKey, after, limit }: { nameKey: string; after?: NameCursor | undefined; limit: number },
): Promise<MemberRow[]> {
  const [accountId, ...others] = accountIds;
  if (accountId === undefined) return [];
  const page = { afterId: after?.memberId ?? 0, limit, nameKey };
  if (others.length === 0) return listMembersOfAccount(db, accountId, page);
  return listMembersById(db, await listMemberIds(db, accountIds, page));
}
