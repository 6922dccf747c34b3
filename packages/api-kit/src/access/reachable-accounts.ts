import { accountReach, type Permission } from '@gatehouse/auth-core';
import { listLiveAccountIds, type MemberScope } from '@gatehouse/db';
import type { Context } from '../context.js';
import type { Caller } from './caller.js';

/** Every account in which the caller holds a permission, deleted ones left out; all of them for staff of base role 0. */
export async function reachableAccounts(
  ctx: Context,
  caller: Caller,
  permission: Permission,
): Promise<MemberScope> {
  const reach = accountReach(ctx.kit.roles, caller.member, permission);
  if (reach === 'all') return { all: true };
  return { all: false, accountIds: await listLiveAccountIds(ctx.kit.db, [...reach]) };
}
