import { accountLevelAt, accountReach, type Permission } from '@gatehouse/auth-core';
import type { MemberScope } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import type { AccountScope } from './account-scope.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** The highest level there is. */
const HIGHEST_LEVEL = 3;

/**
 * Every account in which the caller has a permission, without deleted ones and those that need a session of a higher
 * level; all of them for staff of base role 0.
 */
export async function reachableAccounts(
  ctx: Context,
  caller: Caller,
  permission: Permission,
): Promise<AccountScope> {
  const { access, roles } = ctx.services;
  const reach = accountReach(roles, caller.member, permission);
  if (reach === 'all') return everyAccount(access, caller);
  return { all: false, accountIds: await openedAccounts(ctx, access, caller, [...reach]) };
}

/** The given accounts that exist, are not deleted, and need no session of a higher level than the caller's. */
export async function openedAccounts(
  { services }: Pick<Context, 'services'>,
  access: Pick<AccessReader, 'accounts'>,
  { session }: Caller,
  accountIds: readonly number[],
): Promise<readonly number[]> {
  const states = await access.accounts(accountIds);
  const nowMs = services.now();
  return accountIds.filter((id) => {
    const state = states.get(id);
    return state?.isDeleted === false && accountLevelAt(state, nowMs) <= session.level;
  });
}

/** All accounts but those that need a session of a higher level than the caller's. */
export async function everyAccount(access: AccessReader, { session }: Caller): Promise<AccountScope> {
  if (session.level >= HIGHEST_LEVEL) return { all: true };
  const except = await access.accountsAbove(session.level);
  return except.size === 0 ? { all: true } : { all: true, except };
}

/** Whether a scope has an account. */
export function isInScope(scope: MemberScope, accountId: number): boolean {
  return scope.all ? scope.except?.has(accountId) !== true : scope.accountIds.includes(accountId);
}
