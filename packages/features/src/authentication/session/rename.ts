import { AppError, personNameSchema } from '@gatehouse/auth-core';
import { renameSession } from '@gatehouse/db';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { recordAudit } from '../../audit/record-audit.js';
import { inPersonProcedure } from '../../core/app/procedures.js';

const LONGEST_NAME = 64;

const input = z.object({
  sessionId: z.int().positive(),
  name: personNameSchema.max(LONGEST_NAME),
});

/** Names one of the caller's sessions, so that they know the device again. */
export const rename = inPersonProcedure
  .meta({ about: { summary: 'Name a session', refuses: ['not_found'] } })
  .input(input)
  .output(
    z.object({
      message: z.string(),
      data: z.object({ id: z.int(), deviceName: z.string() }),
    }),
  )
  .mutation(async ({ ctx, input: { sessionId, name } }) => {
    const { memberId } = ctx.caller;
    await changeDecided(ctx, { concerns: [memberId] }, async (tx, nowMs) => {
      if (!(await renameSession(tx, { memberId, sessionId, name }))) throw new AppError('not_found');
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'session.renamed',
        actorId: memberId,
        subjectKind: 'session',
        subjectId: sessionId,
      });
    });
    return { message: 'The session has its name', data: { id: sessionId, deviceName: name } };
  });
