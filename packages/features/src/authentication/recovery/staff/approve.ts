import { AppError } from '@gatehouse/auth-core';
import { approveRecovery, findRecovery } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../../audit/make-change.js';
import { freshRootProcedure } from '../../../core/app/procedures.js';

/** Agrees to a recovery that somebody else opened and that needs it. Nobody approves their own. */
export const approve = freshRootProcedure
  .meta({
    about: { summary: 'Agree to a recovery that another member of staff opened', refuses: ['not_found'] },
  })
  .input(z.object({ recoveryId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { recoveryId } }) => {
    const approvedById = ctx.caller.memberId;
    const found = await findRecovery(ctx.services.db, recoveryId);
    if (!found) throw new AppError('not_found');
    const { memberId, openedById } = found;
    if ([openedById, memberId].includes(approvedById)) throw new AppError('permission_denied');
    return makeChange(ctx, { concerns: [memberId, approvedById] }, async (tx, nowMs) => {
      const isApproved = await approveRecovery(tx, { recoveryId, approvedById, nowMs });
      const now = isApproved ? undefined : await findRecovery(tx, recoveryId);
      if (now?.endedAtMs !== undefined && now.endedAtMs !== null) throw new AppError('not_found');
      return {
        result: { message: 'The recovery goes on after its wait' },
        record: isApproved
          ? {
              action: 'recovery.approved',
              onBehalfOfId: memberId,
              subjectKind: 'recovery',
              subjectId: recoveryId,
              before: null,
              after: null,
            }
          : undefined,
      };
    });
  });
