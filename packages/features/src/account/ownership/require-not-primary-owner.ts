import { AppError } from '@gatehouse/auth-core';
import { type Database, listPrimaryAccounts } from '@gatehouse/db';
import { ownerlessIssues } from './ownerless-issues.js';

/**
 * Refuses a change that would leave an open account without its primary owner. Call it before somebody is
 * demoted, removed, disabled or deleted, in the transaction that has locked them: nobody becomes an owner
 * without that lock.
 *
 * @param accountIds the accounts concerned; all by default
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
