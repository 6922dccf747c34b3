import { accountReach, type Permission } from '@gatehouse/auth-core';
import type { MemberScope } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** Every account in which the caller holds a permission, deleted ones left out; all of them for staff of base role 0. */
export async function reachableAccounts(
  ctx: Context,
  caller: Caller,
  permission: Permission,
): Promise<MemberScope> {
  const scope = heldAccounts(ctx, caller, permission);
  if (scope.all) return scope;
  return { all: false, accountIds: await liveAccounts(ctx.services.access, scope.accountIds) };
}

/** Those of the accounts that exist and are not deleted. */
export async function liveAccounts(
  access: AccessReader,
  accountIds: readonly number[],
): Promise<readonly number[]> {
  const states = await access.accounts(accountIds);
  return accountIds.filter((id) => states.get(id)?.isDeleted === false);
}

/** As `reachableAccounts`, for queries that leave deleted accounts out themselves: these may be among them. */
export function heldAccounts({ services }: Context, caller: Caller, permission: Permission): MemberScope {
  const reach = accountReach(services.roles, caller.member, permission);
  return reach === 'all' ? { all: true } : { all: false, accountIds: [...reach] };
}
