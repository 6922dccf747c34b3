import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { inPersonProcedure } from '../../core/app/procedures.js';
import { endOneSession, endOtherSessions } from './end-sessions.js';

const input = z
  .object({ sessionId: z.number().int().positive().optional(), others: z.boolean().optional() })
  .refine((value) => (value.sessionId === undefined) === (value.others === true), {
    message: 'Either a sessionId, or others: true',
    path: ['sessionId'],
  });

/** Ends one session of the caller, or all except this one. */
export const endMany = inPersonProcedure
  .input(input)
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { sessionId } }) => {
    if (sessionId === undefined) {
      await endOtherSessions(ctx);
      return { message: 'All other sessions have ended' };
    }
    const hasEnded = await endOneSession(ctx, { memberId: ctx.caller.memberId, sessionId });
    if (!hasEnded) throw new AppError('not_found');
    return { message: 'The session has ended' };
  });
