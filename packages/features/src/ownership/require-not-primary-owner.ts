import { AppError } from '@gatehouse/auth-core';
import { type Database, listPrimaryAccounts } from '@gatehouse/db';
import { ownerlessIssues } from './ownerless-issues.js';

/**
 * Refuses what would leave an open account without its primary owner. To be asked before somebody is demoted, removed,
 * switched off or deleted, in the transaction that does it and holds them: nobody becomes an owner without being held.
 *
 * @param accountIds the accounts it happens in; every one unless given
 * @throws {AppError} `sole_owner`, naming the accounts
 */
export async function requireNotPrimaryOwner(
  tx: Database,
  memberId: number,
  accountIds?: readonly number[],
): Promise<void> {
  const owned = await listPrimaryAccounts(tx, memberId, accountIds);
  if (owned.length > 0) throw new AppError('sole_owner', { issues: ownerlessIssues(owned) });
}
