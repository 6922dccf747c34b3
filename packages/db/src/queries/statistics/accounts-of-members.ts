import type { Database } from '../../database.js';
import { listMembershipRowsOf } from '../member/list-account-members.js';
import { WHOLE_SERVICE } from './add-to-counters.js';

/** What is counted of each member is counted in the whole service, and in each account they are in now. */
export async function accountsOfMembers(
  tx: Database,
  memberIds: readonly number[],
): Promise<(memberId: number) => readonly number[]> {
  const ids = [...new Set(memberIds)];
  const accounts = new Map(ids.map((id) => [id, [WHOLE_SERVICE]]));
  if (ids.length > 0)
    for (const { memberId, accountId } of await listMembershipRowsOf(tx, ids))
      accounts.get(memberId)?.push(accountId);
  return (memberId) => accounts.get(memberId) ?? [WHOLE_SERVICE];
}
