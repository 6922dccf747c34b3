import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  findSubscription,
  hasOtherMembers,
  listPrimaryAccounts,
} from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { isRunning } from '../billing/subscription/is-running.js';
import { closeAccount } from '../ownership/close-account.js';
import { handOver } from '../ownership/hand-over.js';
import { ownerlessIssues } from '../ownership/ownerless-issues.js';

/** What happens to an account when its primary owner is deleted. */
export type AccountEnd =
  | { readonly accountId: number; readonly action: 'close' }
  | { readonly accountId: number; readonly action: 'transfer'; readonly memberId: number };

/**
 * Closes or hands over every account that a member owns, in the transaction that deletes them and has locked
 * all rows.
 * @throws {AppError} `sole_owner`, naming the accounts with other members for which nothing was chosen;
 * `subscribed`, naming accounts to close that still have a paid subscription; `invalid_input` for an account
 * of somebody else; and as `handOver` does
 */
export async function settleAccounts(
  tx: AccessTransaction,
  services: Services,
  {
    memberId,
    ends,
    held,
    nowMs,
  }: { memberId: number; ends: readonly AccountEnd[]; held: readonly number[]; nowMs: number },
): Promise<{ closed: number[]; handedOver: number[] }> {
  const owned = await listPrimaryAccounts(tx, memberId);
  const foreign = ends.findIndex(({ accountId }) => !owned.some(({ id }) => id === accountId));
  if (foreign >= 0) {
    const issues = [{ path: `accounts.${foreign}.accountId`, message: 'You do not own this account' }];
    throw new AppError('invalid_input', { issues });
  }
  const closed: number[] = [];
  const handedOver: number[] = [];
  const left: typeof owned = [];
  const paid: typeof owned = [];
  for (const account of owned) {
    // Somebody handed it to them after the rows to lock were chosen.
    if (!held.includes(account.id)) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    const end = ends.find(({ accountId }) => accountId === account.id);
    if (end?.action === 'transfer') {
      await handOver(tx, services, { account, from: memberId, to: end.memberId, nowMs });
      handedOver.push(account.id);
    } else if (end !== undefined || !(await hasOtherMembers(tx, { accountId: account.id, memberId }))) {
      const subscription = await findSubscription(tx, account.id);
      if (subscription && isRunning(subscription)) paid.push(account);
      await closeAccount(tx, services, {
        account,
        closedById: memberId,
        closedWithMemberId: memberId,
        nowMs,
      });
      closed.push(account.id);
    } else {
      left.push(account);
    }
  }
  if (left.length > 0) throw new AppError('sole_owner', { issues: ownerlessIssues(left) });
  if (paid.length > 0) throw new AppError('subscribed', { issues: ownerlessIssues(paid) });
  return { closed, handedOver };
}
