import { AppError } from '@gatehouse/auth-core';
import { findWebhook, replayWebhook } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../../audit/make-change.js';
import { staffProcedure } from '../../../core/guard/procedures.js';

/**
 * Makes a processed event due again. Its claims are merged with the known facts, so replaying an applied
 * event changes nothing.
 */
export const replay = staffProcedure('webhook.read')
  .meta({ about: { summary: 'Apply a delivery again', refuses: ['not_found', 'not_replayable'] } })
  .input(z.object({ id: z.number().int().positive() }))
  .output(z.object({ id: z.int(), message: z.string() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const accountId = (await findWebhook(ctx.services.db, id))?.accountId ?? null;
    const subjects = { within: accountId === null ? [] : [accountId] };
    await makeChange(ctx, subjects, async (tx, nowMs) => {
      const row = await findWebhook(tx, id);
      if (row === undefined) throw new AppError('not_found');
      // The event was applied after the account to ask was read.
      if (row.accountId !== accountId) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      if (!(await replayWebhook(tx, { id, nowMs }))) throw new AppError('not_replayable');
      return {
        result: undefined,
        record: {
          action: 'webhook.replayed',
          subjectKind: 'webhook',
          subjectId: id,
          before: { status: row.status, reason: row.reason, attempts: row.attempts },
          after: { status: 'received' },
        },
      };
    });
    return { id, message: 'It will be applied again in a moment.' };
  });
