import { AppError, decideAccess, type Permission } from '@gatehouse/auth-core';
import type { AccessReader } from '../access/access-reader.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** The account of a call, and the caller's rights in it. */
export interface ReachedAccount {
  readonly id: number;
  /** The primary owner. */
  readonly ownerId: number;
  readonly access: 'member' | 'grant' | 'all';
  /** The role whose permissions apply. */
  readonly role: number;
  readonly permissions: ReadonlySet<Permission>;
}

/**
 * Decides whether the caller may act in an account, with a permission if one is named.
 * @throws {AppError} `account_forbidden` without access, the same whether or not the account exists;
 * `permission_denied`
 */
export async function reachAccount(
  ctx: Context,
  caller: Caller,
  accountId: number,
  {
    access = ctx.services.access,
    permission,
  }: { access?: AccessReader; permission?: Permission | undefined } = {},
): Promise<ReachedAccount> {
  const account = await access.account(accountId);
  const decision = decideAccess(ctx.services.roles, caller.member, { accountId, account, permission });
  if (account === undefined || decision.access === 'none') throw new AppError('account_forbidden');
  ctx.call.facts.accountId = accountId;
  if (decision.reason !== undefined) throw new AppError(decision.reason);
  const { role, permissions } = decision;
  return { id: accountId, ownerId: account.ownerId, access: decision.access, role, permissions };
}
