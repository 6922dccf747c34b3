import { AppError } from '@gatehouse/auth-core';
import { type AccessTransaction, hasOtherMembers, listPrimaryAccounts } from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { closeAccount } from './close-account.js';
import { ownerlessIssues } from './ownerless-issues.js';

/**
 * Closes the accounts that have no other members when a member is deleted. Returns their ids, which the
 * caller adds to the change log. Accounts with other members need another primary owner first.
 *
 * @throws {AppError} `sole_owner`, naming those
 */
export async function closeLonelyAccounts(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  { memberId, closedById, nowMs }: { memberId: number; closedById: number; nowMs: number },
): Promise<number[]> {
  const owned = await listPrimaryAccounts(tx, memberId);
  const shared: typeof owned = [];
  for (const account of owned) {
    if (await hasOtherMembers(tx, { accountId: account.id, memberId })) shared.push(account);
  }
  if (shared.length > 0) throw new AppError('sole_owner', { issues: ownerlessIssues(shared) });
  for (const account of owned) {
    await closeAccount(tx, services, { account, closedById, closedWithMemberId: memberId, nowMs });
  }
  return owned.map(({ id }) => id);
}
