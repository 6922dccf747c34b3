import { AppError, decideAccess, mayChange, mayGive, type Roles } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { type AccountState, findAccountState } from '@gatehouse/db/queries/find-account-state';
import { findMembership, removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { listLiveAccountIds } from '@gatehouse/db/queries/read-accounts';
import { findReturningPlace, removeReturningPlace } from '@gatehouse/db/queries/returning-places';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import { consentWithdrawal } from '../../audit/consent-withdrawal.js';
import { actingRoleIn } from '../../core/authority/authority-over.js';
import {
  givenRole,
  isOwnerRole,
  requireKnownRole,
  requireWithinCeiling,
  roleChoice,
} from '../../core/authority/given-role.js';
import { lockSubject, type StaffContext } from '../../core/authority/require-authority.js';
import { isInScope } from '../../core/guard/account-access.js';
import { requireFresh } from '../../core/guard/freshness.js';
import { procedure } from '../../core/guard/procedure.js';
import { revokeInvitationsTo } from '../revoke-invitations-to.js';
import { requireNotPrimaryOwner } from '../settle-accounts.js';

/**
 * Locks a member while their membership of an account changes. The rank is that of the role in this account
 * only.
 *
 * @param which with `orLeaving` also a membership that would come back with a member who deleted themselves
 * @returns the caller's acting role in that account
 * @throws {AppError} `not_found` for an account or member the caller cannot see, `permission_denied`
 */
async function lockMembership(
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

/**
 * The role that an input names.
 * @throws {AppError} `invalid_input` unless it names one, `not_found` for a custom role that the account does not have
 */
function roleToGive(
  roles: Roles,
  account: AccountState,
  {
    roleType,
    customRoleId,
  }: { readonly roleType?: number | undefined; readonly customRoleId?: number | undefined },
) {
  if (roleType === undefined || customRoleId !== undefined)
    return givenRole(roles, account, { roleType, customRoleId });
  const permissions = roles.permissionsOf(roles.nameOf(roleType) ?? 'archived');
  return { roleType, customRoleId: null, permissions };
}

/**
 * Adds a member to an account with a role, built-in or one of the account's own, or changes their role there. Nobody gives a
 * role above their own or with a permission they lack, or changes a member whose role in the account is above theirs. Making
 * somebody an owner needs a recent proof of identity. Switching somebody off revokes the invitations that would switch them on
 * again.
 */
export const saveMembership = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
  .meta({
    about: {
      summary: 'Add a member to an account, or change their role',
      refuses: ['not_found', 'sole_owner', 'verification_required'],
    },
  })
  .input(
    z.object({
      memberId: z.number().int().positive(),
      accountId: z.number().int().positive(),
      ...roleChoice,
      /** Whether the membership gives access; true by default. */
      active: z.boolean().default(true),
    }),
  )
  .output(
    z.object({
      data: z.object({
        memberId: z.int(),
        accountId: z.int(),
        roleType: z.int(),
        customRoleId: z.int().nullable(),
        active: z.boolean(),
      }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { memberId, accountId, active, ...choice } = input;
    const { roles } = ctx.services;
    if (choice.roleType !== undefined) requireKnownRole(roles, choice.roleType);
    return changeAndRecord(
      ctx,
      { announce: { members: [memberId] }, lock: { accounts: [accountId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const { actingRole } = await lockMembership(authorized, tx, { memberId, accountId, nowMs });
        const account = await findAccountState(tx, accountId);
        if (!account) throw new AppError('not_found');
        const given = roleToGive(roles, account, choice);
        const { roleType, customRoleId } = given;
        if (!mayGive(roles, actingRole, roleType)) throw new AppError('permission_denied');
        const before = await findMembership(tx, { memberId, accountId });
        const isOwner = isOwnerRole(roles, roleType);
        // A custom role counts also where access is off: a directory may switch it on again with this role.
        const isGiven =
          before?.roleType !== roleType ||
          (active && !before.active) ||
          (before.customRoleId !== customRoleId && (active || customRoleId !== null));
        if (isGiven) {
          const { member } = authorized.caller;
          const { permissions } = decideAccess(roles, member, { accountId, account: { isDeleted: false } });
          requireWithinCeiling(roles, { role: actingRole, permissions }, given);
        }
        if (isOwner && isGiven) await requireFresh(authorized, authorized.caller);
        if (!active || !isOwner) await requireNotPrimaryOwner(tx, memberId, [accountId]);
        const grantedById = authorized.caller.memberId;
        await setMembership(tx, {
          memberId,
          accountId,
          roleType,
          customRoleId,
          active,
          grantedById,
          nowMs,
        });
        const changed = changedFields({ ...before }, { roleType, customRoleId, active });
        const which = { memberId, accountId, endedById: grantedById, nowMs };
        const isSwitchedOff = before?.active === true && !active;
        return {
          result: { data: { memberId, accountId, roleType, customRoleId, active } },
          record: changed && {
            action: before ? 'membership.changed' : 'membership.added',
            accountId,
            onBehalfOfId: memberId,
            subjectKind: 'membership',
            subjectId: `${accountId}/${memberId}`,
            ...changed,
          },
          also: isSwitchedOff ? await revokeInvitationsTo(tx, which) : [],
        };
      },
    );
  });

/**
 * Removes a member from an account: from their next request on they have no access to it. A member who deleted themselves does
 * not come back to it.
 */
export const removeMembershipAsStaff = procedure({
  who: 'staff',
  permission: 'member.manage',
  inAccounts: true,
})
  .meta({ about: { summary: 'Remove a member from an account', refuses: ['not_found', 'sole_owner'] } })
  .input(z.object({ memberId: z.number().int().positive(), accountId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, accountId } }) =>
    changeAndRecord(
      ctx,
      { announce: { members: [memberId] }, lock: { accounts: [accountId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const which = { memberId, accountId, nowMs };
        const { isReturning } = await lockMembership(authorized, tx, { ...which, orLeaving: true });
        const place = await (isReturning ? findReturningPlace : findMembership)(tx, which);
        if (!place) throw new AppError('not_found');
        await requireNotPrimaryOwner(tx, memberId, [accountId]);
        const ended = await (isReturning ? removeReturningPlace : removeMembership)(tx, which);
        const endedById = authorized.caller.memberId;
        const invitations = await revokeInvitationsTo(tx, { ...which, endedById });
        const { roleType, customRoleId, active } = place;
        return {
          result: { message: 'The member was removed from the organization' },
          record: {
            action: 'membership.removed',
            accountId,
            onBehalfOfId: memberId,
            subjectKind: 'membership',
            subjectId: `${accountId}/${memberId}`,
            before: { roleType, customRoleId, active },
            after: null,
          },
          also: [...(ended ?? []).map((each) => consentWithdrawal(each, endedById)), ...invitations],
        };
      },
    ),
  );
