import { AppError, mayChange } from '@gatehouse/auth-core';
import { type AccessTransaction, findMembership, listLiveAccountIds } from '@gatehouse/db';
import { isInScope } from '../../app/reachable-accounts.js';
import { actingRoleIn } from '../../authority/acting-role-in.js';
import { lockSubject } from '../../authority/lock-subject.js';
import type { StaffContext } from '../../authority/staff-context.js';

/**
 * Locks a member while their membership of an account changes. The rank is that of the role in this account
 * only.
 *
 * @returns the caller's acting role in that account
 * @throws {AppError} `not_found` for an account or member the caller cannot see, `permission_denied`
 */
export async function lockMembership(
  ctx: StaffContext,
  tx: AccessTransaction,
  { memberId, accountId, nowMs }: { memberId: number; accountId: number; nowMs: number },
): Promise<{ actingRole: number }> {
  const { roles } = ctx.services;
  const isReached = isInScope(ctx.scope, accountId);
  const [account] = isReached ? await listLiveAccountIds(tx, [accountId]) : [];
  if (account === undefined) throw new AppError('not_found');
  const need = { permission: 'member.manage', need: 'mayServe' } as const;
  await lockSubject(ctx, tx, { memberId, nowMs }, need);
  const actingRole = actingRoleIn(roles, ctx.caller.member, accountId);
  const present = await findMembership(tx, { memberId, accountId });
  if (present && !mayChange(roles, actingRole, present.roleType)) throw new AppError('permission_denied');
  return { actingRole };
}
