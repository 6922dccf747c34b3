import { accountReach, type Permission } from '@gatehouse/auth-core';
import type { MemberScope } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/**
 * Every account in which the caller has a permission, without deleted ones; all of them for staff of base
 * role 0.
 */
export async function reachableAccounts(
  ctx: Context,
  caller: Caller,
  permission: Permission,
): Promise<MemberScope> {
  const scope = heldAccounts(ctx, caller, permission);
  if (scope.all) return scope;
  return { all: false, accountIds: await liveAccounts(ctx.services.access, scope.accountIds) };
}

/** The given accounts that exist and are not deleted. */
export async function liveAccounts(
  access: AccessReader,
  accountIds: readonly number[],
): Promise<readonly number[]> {
  const states = await access.accounts(accountIds);
  return accountIds.filter((id) => states.get(id)?.isDeleted === false);
}

/** `reachableAccounts` for queries that exclude deleted accounts themselves; the result may include them. */
export function heldAccounts({ services }: Context, caller: Caller, permission: Permission): MemberScope {
  const reach = accountReach(services.roles, caller.member, permission);
  return reach === 'all' ? { all: true } : { all: false, accountIds: [...reach] };
}
