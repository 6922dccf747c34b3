import { AppError } from '@gatehouse/auth-core';
import { findMembership, removeMembership } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { leavingProcedure } from '../../core/guard/procedures.js';
import { requireNotPrimaryOwner } from '../ownership/require-not-primary-owner.js';

/** Leaves the account, in a session of any level. */
export const leave = leavingProcedure
  .meta({ about: { summary: 'Leave the account', refuses: ['not_found', 'sole_owner'] } })
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const accountId = ctx.account.id;
    const { memberId } = ctx.caller;
    const subjects = { members: [memberId], among: [accountId], atAnyLevel: true } as const;
    await makeChange(ctx, subjects, async (tx, nowMs) => {
      const before = await findMembership(tx, { memberId, accountId });
      // Staff have access here without a membership.
      if (!before) throw new AppError('not_found');
      const { roleType, customRoleId, active } = before;
      await requireNotPrimaryOwner(tx, memberId, [accountId]);
      await removeMembership(tx, { memberId, accountId, nowMs });
      return {
        result: undefined,
        record: {
          action: 'membership.left',
          accountId,
          subjectKind: 'membership',
          subjectId: `${accountId}/${memberId}`,
          before: { roleType, customRoleId, active },
          after: null,
        },
      };
    });
    return { message: 'You have left the account' };
  });
