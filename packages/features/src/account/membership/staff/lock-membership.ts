import { AppError, mayChange } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  findMembership,
  findReturningPlace,
  listLiveAccountIds,
} from '@gatehouse/db';
import { actingRoleIn } from '../../../core/authority/authority-over.js';
import type { StaffContext } from '../../../core/authority/require-authority.js';
import { lockSubject } from '../../../core/authority/require-authority.js';
import { isInScope } from '../../../core/guard/account-access.js';

/**
 * Locks a member while their membership of an account changes. The rank is that of the role in this account
 * only.
 *
 * @param which with `orLeaving` also a membership that would come back with a member who deleted themselves
 * @returns the caller's acting role in that account
 * @throws {AppError} `not_found` for an account or member the caller cannot see, `permission_denied`
 */
export async function lockMembership(
  ctx: StaffContext,
  tx: AccessTransaction,
  {
    memberId,
    accountId,
    nowMs,
    orLeaving = false,
  }: { memberId: number; accountId: number; nowMs: number; orLeaving?: boolean },
): Promise<{ actingRole: number; isReturning: boolean }> {
  const { roles } = ctx.services;
  const isReached = isInScope(ctx.scope, accountId);
  const [account] = isReached ? await listLiveAccountIds(tx, [accountId]) : [];
  if (account === undefined) throw new AppError('not_found');
  const need = { permission: 'member.manage', need: 'mayServe' } as const;
  const { member } = await lockSubject(ctx, tx, { memberId, nowMs }, { ...need, orLeaving });
  const actingRole = actingRoleIn(roles, ctx.caller.member, accountId);
  const isReturning = member.isDeleted;
  const find = isReturning ? findReturningPlace : findMembership;
  const present = await find(tx, { memberId, accountId });
  if (present && !mayChange(roles, actingRole, present.roleType)) throw new AppError('permission_denied');
  return { actingRole, isReturning };
}
