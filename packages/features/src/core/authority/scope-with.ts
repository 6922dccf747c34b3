import { accountReach, type Permission, staffReach } from '@gatehouse/auth-core';
import type { AccountScope } from '../app/account-scope.js';
import { openedAccounts } from '../app/reachable-accounts.js';
import type { StaffContext } from './staff-context.js';

/** Which of some accounts a call of the same member of staff acts in that needs another permission. */
export async function scopeWith(
  ctx: Pick<StaffContext, 'call' | 'caller' | 'scope' | 'services'>,
  permission: Permission,
  among: readonly number[],
): Promise<AccountScope> {
  const { call, caller, scope, services } = ctx;
  const { access, roles } = services;
  const isSelected = call.header('accountid') !== undefined;
  const reach = (isSelected ? accountReach : staffReach)(roles, caller.member, permission);
  // Base role 0 has every permission in each account.
  if (reach === 'all' || scope.all) return scope;
  const ids = among.filter((id) => reach.has(id) && (!isSelected || scope.accountIds.includes(id)));
  return { all: false, accountIds: await openedAccounts(ctx, access, caller, ids) };
}
