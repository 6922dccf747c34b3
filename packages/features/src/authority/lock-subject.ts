import { AppError } from '@gatehouse/auth-core';
import { type AccessTransaction, type LockedMember, listLiveMemberships, lockMember } from '@gatehouse/db';
import { type Authority, type AuthorityNeed, authorityOver } from './authority-over.js';
import type { StaffContext } from './staff-context.js';

export interface HeldSubject {
  readonly member: LockedMember;
  readonly authority: Authority;
}

/**
 * The member a change is about, held until the transaction ends, and what the caller may do about them.
 *
 * @param ctx the call as the transaction's verdict found it
 * @param need how much authority the change needs; see `Authority`
 * @throws {AppError} `not_found` for one whom the caller does not see, `permission_denied`
 */
export async function lockSubject(
  ctx: StaffContext,
  tx: AccessTransaction,
  subject: { memberId: number; nowMs: number },
  { permission, need }: AuthorityNeed,
): Promise<HeldSubject> {
  const member = await lockMember(tx, subject);
  if (!member) throw new AppError('not_found');
  const memberships = await listLiveMemberships(tx, member.id);
  const { roles } = ctx.services;
  const { scope, caller } = ctx;
  const authority = authorityOver(roles, caller.member, { scope, permission }, { ...member, memberships });
  if (!authority.sees) throw new AppError('not_found');
  if (!authority[need]) throw new AppError('permission_denied');
  return { member, authority };
}
