import type { AccountScope } from '../../core/guard/account-access.js';
import { isInScope } from '../../core/guard/account-access.js';

/** The accounts that are in both scopes. */
export function sharedScope(one: AccountScope, other: AccountScope): AccountScope {
  if (!one.all) return { all: false, accountIds: one.accountIds.filter((id) => isInScope(other, id)) };
  if (!other.all) return { all: false, accountIds: other.accountIds.filter((id) => isInScope(one, id)) };
  return { all: true, except: new Set([...(one.except ?? []), ...(other.except ?? [])]) };
}
