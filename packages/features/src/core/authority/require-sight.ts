import { AppError } from '@gatehouse/auth-core';
import { type Database, hasPlaceAmong } from '@gatehouse/db';
import type { AccountScope } from '../app/account-scope.js';

/**
 * Requires that staff may look at a member, deleted ones included: that the member has, or had until they were deleted, a
 * place in an account the caller acts in. Staff are looked at by staff who act in every account.
 * @param member undefined where there is none
 * @throws {AppError} `not_found` for one whom the caller does not see, `permission_denied`
 */
export async function requireSight(
  db: Database,
  scope: AccountScope,
  member: { readonly id: number; readonly isPersonnel: boolean } | undefined,
): Promise<void> {
  if (!member) throw new AppError('not_found');
  if (scope.all) return;
  requireSightGiven(scope, member, await hasPlaceAmong(db, member.id, scope.accountIds));
}

/**
 * The same, for a member that was read together with whether they have such a place.
 * @throws {AppError} `not_found` for one whom the caller does not see, `permission_denied`
 */
export function requireSightGiven(
  scope: AccountScope,
  member: { readonly isPersonnel: boolean },
  hasPlace: boolean,
): void {
  if (scope.all) return;
  if (!hasPlace) throw new AppError('not_found');
  if (member.isPersonnel) throw new AppError('permission_denied');
}
