import { AppError } from '@gatehouse/auth-core';
import { findMember, listLiveMemberships } from '@gatehouse/db';
import { openedAccounts } from '../app/reachable-accounts.js';
import { type AuthorityNeed, authorityOver } from './authority-over.js';
import { formerRole } from './former-role.js';
import type { StaffContext } from './staff-context.js';

/**
 * Requires authority over a member without a lock, for calls that do not change the member.
 * @throws {AppError} `not_found` for a member the caller cannot see, `permission_denied`
 */
export async function requireAuthority(
  { services, caller, scope }: StaffContext,
  memberId: number,
  { permission, need }: AuthorityNeed,
): Promise<void> {
  const [member, memberships] = await Promise.all([
    findMember(services.db, memberId),
    listLiveMemberships(services.db, memberId),
  ]);
  if (!member || member.isDeleted) throw new AppError('not_found');
  const { roles } = services;
  const roleType = await formerRole(services.db, roles, member);
  const subject = { isPersonnel: member.isPersonnel, roleType, memberships };
  const places = memberships.map(({ accountId }) => accountId);
  const opened = await openedAccounts({ services }, services.access, caller, places);
  const authority = authorityOver(roles, caller.member, { scope, permission, opened }, subject);
  if (!authority.sees) throw new AppError('not_found');
  if (!authority[need]) throw new AppError('permission_denied');
}
