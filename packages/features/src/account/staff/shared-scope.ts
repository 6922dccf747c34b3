import type { AccountScope } from '../../app/account-scope.js';

/** The accounts that are in both scopes. */
export function sharedScope(one: AccountScope, other: AccountScope): AccountScope {
  if (one.all) return other;
  if (other.all) return one;
  const accountIds = new Set(other.accountIds);
  return { all: false, accountIds: one.accountIds.filter((id) => accountIds.has(id)) };
}
