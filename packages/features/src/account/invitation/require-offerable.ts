import { AppError } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db';
import type { OfferedRole } from '../../core/authority/given-role.js';
import { mayOffer } from '../../core/authority/given-role.js';
import type { InviterContext } from './inviter-context.js';

/**
 * Requires that the caller may give the offered role; changing an invitation needs the same.
 * @throws {AppError} `permission_denied`
 */
export function requireOfferable(
  { services: { roles }, caller }: InviterContext,
  account: AccountState,
  offered: OfferedRole,
): void {
  if (!mayOffer(roles, caller.member, account, offered)) throw new AppError('permission_denied');
}
