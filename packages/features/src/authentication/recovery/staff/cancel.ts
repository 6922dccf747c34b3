import { AppError } from '@gatehouse/auth-core';
import { findRecovery } from '@gatehouse/db';
import { z } from 'zod';
import { changeDecided } from '../../../audit/change-decided.js';
import { rootProcedure } from '../../../core/app/procedures.js';
import { abandonRecovery } from '../abandon-recovery.js';

/** Cancels a recovery that is open. */
export const cancel = rootProcedure
  .meta({ about: { summary: 'Cancel a recovery', refuses: ['not_found'] } })
  .input(z.object({ recoveryId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { recoveryId } }) => {
    const { services } = ctx;
    const endedById = ctx.caller.memberId;
    const found = await findRecovery(services.db, recoveryId);
    if (!found) throw new AppError('not_found');
    await changeDecided(ctx, { members: [found.memberId], concerns: [endedById] }, async (tx) => {
      if (!(await abandonRecovery(tx, ctx, found, { outcome: 'canceled', endedById })))
        throw new AppError('not_found');
    });
    services.wakeups.wake('mail');
    return { message: 'The recovery is canceled' };
  });
