import { AppError, type InputIssue } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { hasOtherMembers, listPrimaryAccounts } from '@gatehouse/db/queries/read-accounts';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { recordAudit } from '../audit/record-audit.js';
import { isRunning } from '../billing/account-subscription.js';
import type { Context } from '../core/context.js';
import { closeAccount } from './close-account.js';
import { handOver } from './transfer-ownership.js';

type NamedAccount = { readonly id: number; readonly name: string };

/** The accounts that a refused change would leave without their primary owner; the path has the id. */
export function ownerlessIssues(accounts: readonly NamedAccount[]): InputIssue[] {
  return accounts.map(({ id, name }) => ({
    path: `accounts.${id}`,
    message: `The account "${name}" would be left without its primary owner`,
  }));
}

/** The accounts that a refused change would close while a subscription runs; the path has the id. */
function subscribedIssues(accounts: readonly NamedAccount[]): InputIssue[] {
  return accounts.map(({ id, name }) => ({
    path: `accounts.${id}`,
    message: `The account "${name}" has a subscription that is not over`,
  }));
}

/** What happens to an account when its primary owner is deleted. */
export type AccountEnd =
  | { readonly accountId: number; readonly action: 'close' }
  | { readonly accountId: number; readonly action: 'transfer'; readonly memberId: number };

/** The state of a deletion before its transaction. */
interface Settlement {
  readonly memberId: number;
  /** The member who deletes them, who may be the same. */
  readonly actorId: number;
  /** The choices for accounts with other members, or that all of them close. */
  readonly ends: readonly AccountEnd[] | 'close';
  /** The accounts they owned at that time, which the transaction locks. */
  readonly held: readonly number[];
  /** Whether the accounts' subscriptions were canceled. */
  readonly isPaymentEnded: boolean;
  readonly nowMs: number;
}

/**
 * Closes or hands over every account that a member owns, in the transaction that deletes them and has locked
 * all rows. The audit log of each account gets a line.
 * @throws {AppError} `sole_owner`, naming the accounts with other members for which nothing was chosen;
 * `subscribed`, naming accounts to close that still have a paid subscription; `invalid_input` for an account
 * of somebody else; and as `handOver` does
 */
export async function settleAccounts(
  tx: AccessTransaction,
  ctx: Pick<Context, 'services' | 'call'>,
  { memberId, actorId, ends, held, isPaymentEnded, nowMs }: Settlement,
): Promise<{ closed: number[]; handedOver: number[] }> {
  const { services } = ctx;
  const owned = await listPrimaryAccounts(tx, memberId);
  const named = ends === 'close' ? [] : ends;
  requireOwn(owned, named);
  const closed: number[] = [];
  const handedOver: number[] = [];
  const left: typeof owned = [];
  const paid: typeof owned = [];
  const aboutAccount = (accountId: number) => ({
    atMs: nowMs,
    actorId,
    accountId,
    subjectKind: 'account',
    subjectId: accountId,
  });
  for (const account of owned) {
    // It was transferred to them after the rows to lock were chosen.
    if (!held.includes(account.id)) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    const end = named.find(({ accountId }) => accountId === account.id);
    if (end?.action === 'transfer') {
      const isByStaff = actorId !== memberId;
      const heir = { from: memberId, to: end.memberId };
      const events = await handOver(tx, services, { account, ...heir, isByStaff, nowMs });
      await recordAudit(tx, ctx, {
        ...aboutAccount(account.id),
        action: 'account.ownership-moved',
        onBehalfOfId: end.memberId,
        before: { ownerId: memberId },
        after: { ownerId: end.memberId },
        events,
      });
      handedOver.push(account.id);
    } else if (
      end !== undefined ||
      ends === 'close' ||
      !(await hasOtherMembers(tx, { accountId: account.id, memberId }))
    ) {
      const subscription = await findSubscription(tx, account.id);
      if (!isPaymentEnded && subscription && isRunning(subscription)) paid.push(account);
      const closing = { closedById: actorId, closedWithMemberId: memberId };
      const end = await closeAccount(tx, services, { account, ...closing, nowMs });
      await recordAudit(tx, ctx, {
        ...aboutAccount(account.id),
        action: 'account.closed',
        before: null,
        after: { ...end, closedWithMemberId: memberId },
      });
      closed.push(account.id);
    } else {
      left.push(account);
    }
  }
  if (left.length > 0) throw new AppError('sole_owner', { issues: ownerlessIssues(left) });
  if (paid.length > 0) throw new AppError('subscribed', { issues: subscribedIssues(paid) });
  return { closed, handedOver };
}

/**
 * The accounts that close with a member, as known before the transaction, so that a refused deletion ends no
 * subscription.
 * @throws {AppError} `sole_owner` and `invalid_input`, as `settleAccounts`
 */
export async function listClosing(
  db: Database,
  { memberId, ends }: Pick<Settlement, 'memberId' | 'ends'>,
): Promise<{ owned: number[]; closing: number[] }> {
  const owned = await listPrimaryAccounts(db, memberId);
  requireOwn(owned, ends === 'close' ? [] : ends);
  const closing: number[] = [];
  const left: typeof owned = [];
  for (const account of owned) {
    const accountId = account.id;
    const end = ends === 'close' ? { action: ends } : ends.find((each) => each.accountId === accountId);
    if (end?.action === 'transfer') continue;
    const isAlone = end !== undefined || !(await hasOtherMembers(db, { accountId, memberId }));
    if (isAlone) closing.push(accountId);
    else left.push(account);
  }
  if (left.length > 0) throw new AppError('sole_owner', { issues: ownerlessIssues(left) });
  return { owned: owned.map(({ id }) => id), closing };
}

function requireOwn(owned: readonly { id: number }[], ends: readonly AccountEnd[]): void {
  const foreign = ends.findIndex(({ accountId }) => !owned.some(({ id }) => id === accountId));
  if (foreign < 0) return;
  const issues = [{ path: `accounts.${foreign}.accountId`, message: 'You do not own this organization' }];
  throw new AppError('invalid_input', { issues });
}

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
