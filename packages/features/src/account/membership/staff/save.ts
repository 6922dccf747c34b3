import { AppError, decideAccess, mayGive, ROLE_PERMISSIONS } from '@gatehouse/auth-core';
import { findMembership, setMembership } from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../../../audit/changed-fields.js';
import { makeChange } from '../../../audit/make-change.js';
import { isOwnerRole, requireKnownRole, requireWithinCeiling } from '../../../core/authority/given-role.js';
import { requireFresh } from '../../../core/guard/freshness.js';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { requireNotPrimaryOwner } from '../../ownership/require-not-primary-owner.js';
import { lockMembership } from './lock-membership.js';

/**
 * Adds a member to an account with a role, or changes their role there. Nobody gives a role above their own
 * or with a permission they lack, or changes a member whose role in the account is above theirs. Making
 * somebody an owner needs a recent proof of identity.
 */
export const save = staffScopedProcedure('member.manage')
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
      roleType: z.number().int(),
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
        active: z.boolean(),
      }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { memberId, accountId, roleType, active } = input;
    const { roles } = ctx.services;
    requireKnownRole(roles, roleType);
    return makeChange(ctx, { members: [memberId], among: [accountId] }, async (tx, nowMs, decided) => {
      const { actingRole } = await lockMembership(decided, tx, { memberId, accountId, nowMs });
      if (!mayGive(roles, actingRole, roleType)) throw new AppError('permission_denied');
      const before = await findMembership(tx, { memberId, accountId });
      const isOwner = isOwnerRole(roles, roleType);
      const isGiven =
        before?.roleType !== roleType || (active && (!before.active || before.customRoleId !== null));
      if (isGiven) {
        const account = { isDeleted: false };
        const { permissions } = decideAccess(roles, decided.caller.member, { accountId, account });
        const given = ROLE_PERMISSIONS[roles.nameOf(roleType) ?? 'archived'];
        requireWithinCeiling(roles, { role: actingRole, permissions }, { roleType, permissions: given });
      }
      if (isOwner && isGiven) await requireFresh(decided, decided.caller);
      if (!active || !isOwner) await requireNotPrimaryOwner(tx, memberId, [accountId]);
      const grantedById = decided.caller.memberId;
      await setMembership(tx, { memberId, accountId, roleType, active, grantedById, nowMs });
      const changed = changedFields({ ...before }, { roleType, customRoleId: null, active });
      return {
        result: { data: input },
        record: changed && {
          action: before ? 'membership.changed' : 'membership.added',
          accountId,
          onBehalfOfId: memberId,
          subjectKind: 'membership',
          subjectId: `${accountId}/${memberId}`,
          ...changed,
        },
      };
    });
  });
