import { AppError } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db';
import { z } from 'zod';
import { FRESH } from '../../../core/app/freshness.js';
import { staffScopedProcedure } from '../../../core/app/procedures.js';
import { lockSubject } from '../../../core/authority/lock-subject.js';
import { MEMBER_NEEDS } from '../../../core/authority/member-needs.js';
import type { StaffContext } from '../../../core/authority/staff-context.js';
import { endEverySession, endOneSession } from '../end-sessions.js';

/** Ends one session of a member, or all of them if none is named. */
export const endFor = staffScopedProcedure('member.manage', { fresh: FRESH })
  .meta({ about: { summary: 'End one or all sessions of a member', refuses: ['not_found'] } })
  .input(
    z.object({
      memberId: z.number().int().positive(),
      sessionId: z.number().int().positive().optional(),
    }),
  )
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, sessionId } }) => {
    const hold = (tx: AccessTransaction, nowMs: number, decided: StaffContext) =>
      lockSubject(decided, tx, { memberId, nowMs }, MEMBER_NEEDS.endSessions);
    if (sessionId === undefined) {
      await endEverySession(ctx, memberId, hold);
      return { message: 'All sessions have ended' };
    }
    if (!(await endOneSession(ctx, { memberId, sessionId }, hold))) throw new AppError('not_found');
    return { message: 'The session has ended' };
  });
