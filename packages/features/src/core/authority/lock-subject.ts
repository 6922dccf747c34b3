import { AppError } from '@gatehouse/auth-core';
import { type AccessTransaction, findAccountStates, type LockedMember, lockMember } from '@gatehouse/db';
import type { Authority, AuthorityNeed } from './authority-over.js';
import { readAuthority } from './read-authority.js';
import type { StaffContext } from './staff-context.js';

export interface HeldSubject {
  readonly member: LockedMember;
  readonly authority: Authority;
}

/**
 * Locks the subject of a change until the transaction ends, and returns what the caller may do with them.
 *
 * @param ctx the call as the transaction's guard read it
 * @param need the authority that the change needs; see `Authority`
 * @throws {AppError} `not_found` for a member the caller cannot see, `permission_denied`
 */
export async function lockSubject(
  ctx: StaffContext,
  tx: AccessTransaction,
  which: { memberId: number; nowMs: number },
  { permission, need, orLeaving = false }: AuthorityNeed,
): Promise<HeldSubject> {
  const member = await lockMember(tx, { ...which, orLeaving });
  if (!member) throw new AppError('not_found');
  const source = { db: tx, accounts: (ids: readonly number[]) => findAccountStates(tx, ids) };
  const authority = await readAuthority(ctx, source, member, permission);
  if (!authority.sees) throw new AppError('not_found');
  if (!authority[need]) throw new AppError('permission_denied');
  return { member, authority };
}
