import { AppError } from '@gatehouse/auth-core';
import { endPartnerLink } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../audit/make-change.js';
import { freshProcedure } from '../core/guard/procedures.js';

/**
 * Ends the link to a partner, also one that is held: the partner cannot sign the member on any more, and the sessions that
 * it began end with the next request. What the partner created stays with the member.
 */
export const endLink = freshProcedure
  .meta({ about: { summary: 'End the link to a partner', refuses: ['not_found'] } })
  .input(z.object({ partnerId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { partnerId } }) => {
    const { memberId } = ctx.caller;
    await makeChange(ctx, { members: [memberId] }, async (tx, nowMs) => {
      if (!(await endPartnerLink(tx, { partnerId, memberId, nowMs }))) throw new AppError('not_found');
      const record = {
        action: 'partner.link_ended',
        subjectKind: 'member',
        subjectId: memberId,
        before: null,
        after: { partnerId },
      };
      return { result: undefined, record };
    });
    return { message: 'The partner cannot sign you on any more' };
  });
