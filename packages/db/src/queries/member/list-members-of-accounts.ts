import type { Database } from '../../database.js';
import type { ListedMember } from '../access/member-columns.js';
import { listLiveMembersById } from './list-live-members-by-id.js';
import { listMemberIds, type MemberIdPage } from './list-member-ids.js';
import { listMembersOfAccount } from './list-members-of-account.js';

/** A source of the member ids of several accounts. As with `listMemberIds`, deleted members may be included. */
export type MemberIdSource = (accountIds: readonly number[], page: MemberIdPage) => Promise<number[]>;

/** The members of any of the accounts, each once, by ascending id, without deleted ones. */
export async function listMembersOfAccounts(
  db: Database,
  accountIds: readonly number[],
  page: MemberIdPage,
  listIds: MemberIdSource = (ids, idPage) => listMemberIds(db, ids, idPage),
): Promise<ListedMember[]> {
  const [accountId, ...others] = accountIds;
  if (accountId === undefined) return [];
  if (others.length === 0) return listMembersOfAccount(db, accountId, page);
  const found: ListedMember[] = [];
  let { afterId } = page;
  for (;;) {
    const limit = page.limit - found.length;
    const ids = await listIds(accountIds, { ...page, afterId, limit });
    found.push(...(await listLiveMembersById(db, ids, page.nameKey)));
    const lastId = ids.at(-1);
    if (lastId === undefined || ids.length < limit || found.length === page.limit) return found;
    afterId = lastId;
  }
}
