import { AppError } from '@gatehouse/auth-core';
import { findMember, listLiveMemberships } from '@gatehouse/db';
import { type AuthorityNeed, authorityOver } from './authority-over.js';
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
  const authority =
    member && authorityOver(services.roles, caller.member, { scope, permission }, { ...member, memberships });
  if (!member || member.isDeleted || !authority?.sees) throw new AppError('not_found');
  if (!authority[need]) throw new AppError('permission_denied');
}
