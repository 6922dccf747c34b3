import { AppError } from '@gatehouse/auth-core';
import { findMember } from '@gatehouse/db';
import type { AuthorityNeed } from './authority-over.js';
import { readAuthority } from './read-authority.js';
import type { StaffContext } from './staff-context.js';

/**
 * Requires authority over a member without a lock, for calls that do not change the member.
 * @throws {AppError} `not_found` for a member the caller cannot see, `permission_denied`
 */
export async function requireAuthority(
  ctx: StaffContext,
  memberId: number,
  { permission, need }: AuthorityNeed,
): Promise<void> {
  const { access, db } = ctx.services;
  const member = await findMember(db, memberId);
  if (!member || member.isDeleted) throw new AppError('not_found');
  const authority = await readAuthority(ctx, { db, accounts: access.accounts }, member, permission);
  if (!authority.sees) throw new AppError('not_found');
  if (!authority[need]) throw new AppError('permission_denied');
}
