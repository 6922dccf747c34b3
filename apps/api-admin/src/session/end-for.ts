import { endEverySession, endOneSession, staffScopedProcedure } from '@gatehouse/api-kit';
import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { requireAuthority } from '../member/require-authority.js';

/** Ends one session of a member, or all of them where none is named. */
export const endFor = staffScopedProcedure('member.manage')
  .meta({ about: { summary: 'End one or all sessions of a member', refuses: ['not_found'] } })
  .input(
    z.object({
      memberId: z.number().int().positive(),
      sessionId: z.number().int().positive().optional(),
    }),
  )
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, sessionId } }) => {
    await requireAuthority(ctx, memberId, { permission: 'member.manage', need: 'mayChange' });
    if (sessionId === undefined) {
      await endEverySession(ctx, memberId);
      return { message: 'All sessions have ended' };
    }
    if (!(await endOneSession(ctx, { memberId, sessionId }))) throw new AppError('not_found');
    return { message: 'The session has ended' };
  });
