import { z } from 'zod';
import { publicProcedure } from '../../core/guard/procedures.js';
import { findRestoration } from './restore-own.js';

/** Shows until when a link brings a deleted member back, and changes nothing. */
export const restorationDetails = publicProcedure
  .meta({
    about: {
      summary: 'Tell until when a link brings somebody back who deleted themselves',
      refuses: ['invalid_token', 'grace_over'],
    },
  })
  .input(z.strictObject({ token: z.string() }))
  .output(z.object({ erasedAt: z.iso.datetime(), isUsed: z.boolean() }))
  .query(async ({ ctx, input }) => {
    const { isUsed, erasesAtMs } = await findRestoration(ctx.services, input.token);
    return { erasedAt: new Date(erasesAtMs).toISOString(), isUsed };
  });
