import { AppError } from '@gatehouse/auth-core';
import { findWebhook } from '@gatehouse/db';
import { z } from 'zod';
import { requireLevelsOf } from '../../../core/guard/account-access.js';
import { staffProcedure } from '../../../core/guard/procedures.js';
import { toWebhookView, webhookView } from './webhook-view.js';

/** One delivery with its body; of a rejected one the first 4 kB. */
export const detail = staffProcedure('webhook.read')
  .meta({
    about: {
      summary: 'See one delivery',
      refuses: ['not_found', 'enrolment_required', 'verification_required'],
    },
  })
  .input(z.object({ id: z.number().int().positive() }))
  .output(
    z.object({ data: webhookView.extend({ body: z.string(), bodyEncoding: z.enum(['utf8', 'base64']) }) }),
  )
  .query(async ({ ctx, input }) => {
    const row = await findWebhook(ctx.services.db, input.id);
    if (row === undefined) throw new AppError('not_found');
    const { accountId, body, bodyEncoding, ...rest } = row;
    await requireLevelsOf(ctx, ctx.services.access, accountId === null ? [] : [accountId]);
    return { data: { ...toWebhookView(rest), body, bodyEncoding } };
  });
