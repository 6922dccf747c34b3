import { AppError } from '@gatehouse/auth-core';
import { findMembership, removeMembership } from '@gatehouse/db';
import { z } from 'zod';
import { staffScopedProcedure } from '../../app/procedures.js';
import { makeChange } from '../../audit/make-change.js';
import { requireNotPrimaryOwner } from '../../ownership/require-not-primary-owner.js';
import { lockMembership } from './lock-membership.js';

/** Removes a member from an account: from their next request on they have no access to it. */
export const remove = staffScopedProcedure('member.manage')
  .meta({ about: { summary: 'Remove a member from an account', refuses: ['not_found', 'sole_owner'] } })
  .input(z.object({ memberId: z.number().int().positive(), accountId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, accountId } }) =>
    makeChange(ctx, { members: [memberId], among: [accountId] }, async (tx, nowMs, decided) => {
      await lockMembership(decided, tx, { memberId, accountId, nowMs });
      const before = await findMembership(tx, { memberId, accountId });
      if (!before) throw new AppError('not_found');
      await requireNotPrimaryOwner(tx, memberId, [accountId]);
      await removeMembership(tx, { memberId, accountId, nowMs });
      return {
        result: { message: 'The member is no longer in the account' },
        record: {
          action: 'membership.removed',
          accountId,
          onBehalfOfId: memberId,
          subjectKind: 'membership',
          subjectId: `${accountId}/${memberId}`,
          before,
          after: null,
        },
      };
    }),
  );
