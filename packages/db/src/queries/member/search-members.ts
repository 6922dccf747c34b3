import type { Database } from '../../database.js';
import { listNamedMembers, type NameCursor } from '../member-name/list-named-members.js';
import { listRareIds } from '../member-name/list-rare-ids.js';
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

/**
 * The members of an account are few enough to look at each, unless the text is rare: then those who can have it are
 * known already. An index over accounts and names would hold every name once more.
 */
async function searchAccounts(
  db: Database,
  accountIds: readonly number[],
  { nameKey, after, limit }: { nameKey: string; after?: NameCursor | undefined; limit: number },
): Promise<MemberRow[]> {
  const [accountId, ...others] = accountIds;
  if (accountId === undefined) return [];
  const rareIds = await listRareIds(db, nameKey);
  if (rareIds?.length === 0) return [];
  const page = { afterId: after?.memberId ?? 0, limit, name: { nameKey, rareIds } };
  if (others.length === 0) return listMembersOfAccount(db, accountId, page);
  return listMembersById(db, await listMemberIds(db, accountIds, page));
}
