import { AppError } from '@gatehouse/auth-core';
import { removeSubject } from '@gatehouse/db/queries/conversations';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import { accountProcedure } from '../core/guard/procedure.js';

/** Removes a subject of the selected account; its conversations stay. Removing it again gives the same answer. */
export const removeAccountSubject = accountProcedure('subject.remove')
  .input(z.object({ subjectId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { caller } = ctx;
    const { subjectId } = input;
    const outcome = await change(ctx, {}, async ({ tx, nowMs, account }) => {
      const removed = await removeSubject(tx, { subjectId, accountId: account.id, nowMs });
      if (removed === 'removed') {
        await recordAudit(tx, ctx, {
          atMs: nowMs,
          action: 'subject.removed',
          actorId: caller.memberId,
          accountId: account.id,
          subjectKind: 'subject',
          subjectId,
        });
      }
      return removed;
    });
    if (outcome === 'unknown') throw new AppError('not_found');
    return { message: 'Subject removed' };
  });
