import { AppError } from '@gatehouse/auth-core';
import { findMembership, findReturningPlace, removeMembership, removeReturningPlace } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../../audit/make-change.js';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { requireNotPrimaryOwner } from '../../ownership/require-not-primary-owner.js';
import { lockMembership } from './lock-membership.js';

/**
 * Removes a member from an account: from their next request on they have no access to it. A member who deleted themselves does
 * not come back to it.
 */
export const remove = staffScopedProcedure('member.manage')
  .meta({ about: { summary: 'Remove a member from an account', refuses: ['not_found', 'sole_owner'] } })
  .input(z.object({ memberId: z.number().int().positive(), accountId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, accountId } }) =>
    makeChange(ctx, { members: [memberId], among: [accountId] }, async (tx, nowMs, decided) => {
      const which = { memberId, accountId, nowMs };
      const { isReturning } = await lockMembership(decided, tx, { ...which, orLeaving: true });
      const place = await (isReturning ? findReturningPlace : findMembership)(tx, which);
      if (!place) throw new AppError('not_found');
      await requireNotPrimaryOwner(tx, memberId, [accountId]);
      await (isReturning ? removeReturningPlace : removeMembership)(tx, which);
      const { roleType, customRoleId, active } = place;
      return {
        result: { message: 'The member is no longer in the account' },
        record: {
          action: 'membership.removed',
          accountId,
          onBehalfOfId: memberId,
          subjectKind: 'membership',
          subjectId: `${accountId}/${memberId}`,
          before: { roleType, customRoleId, active },
          after: null,
        },
      };
    }),
  );
