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
 * Decides whether the caller may act in an account.
 * @throws {AppError} `account_forbidden` without access, the same whether or not the account exists.
 */
export async function reachAccount(
  ctx: Context,
  caller: Caller,
  accountId: number,
  access: AccessReader = ctx.services.access,
): Promise<ReachedAccount> {
  const account = await access.account(accountId);
  const decision = decideAccess(ctx.services.roles, caller.member, accountId, account);
  if (account === undefined || decision.access === 'none') throw new AppError('account_forbidden');
  ctx.call.facts.accountId = accountId;
  return { id: accountId, ownerId: account.ownerId, ...decision };
}

/** @throws {AppError} `permission_denied` */
export function requirePermission(account: ReachedAccount, permission: Permission): void {
  if (!account.permissions.has(permission)) throw new AppError('permission_denied');
}
