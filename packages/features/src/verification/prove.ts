import { AppError, submittedPasswordSchema } from '@gatehouse/auth-core';
import { setSessionVerified } from '@gatehouse/db';
import { z } from 'zod';
import { FRESH } from '../app/freshness.js';
import { inPersonProcedure } from '../app/procedures.js';
import { changeDecided } from '../audit/change-decided.js';
import { recordAudit } from '../audit/record-audit.js';
import { checkPassword } from '../login/check-password.js';
import { keptSession } from '../session/end-sessions.js';

/**
 * Proves again, by the password, that the caller is the member. Afterwards this session may do what is hard
 * to undo.
 */
export const prove = inPersonProcedure
  .meta({
    about: {
      summary: 'Show again who is signed in',
      refuses: ['invalid_credentials', 'rate_limited'],
    },
  })
  .input(z.object({ password: submittedPasswordSchema }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({ level: z.int(), verifiedUntil: z.iso.datetime() }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const profile = await services.access.profile(ctx.caller.member);
    if (!profile) throw new AppError('unauthorized');
    const credential = await checkPassword(ctx, profile.sid, input.password);
    if (credential.id !== memberId) throw new AppError('invalid_credentials');
    const verifiedAtMs = await changeDecided(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      await setSessionVerified(tx, memberId, { session: keptSession(decided), nowMs });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'session.verified',
        actorId: memberId,
        subjectKind: 'session',
        subjectId: decided.caller.session.id ?? null,
      });
      return nowMs;
    });
    const verifiedUntil = new Date(verifiedAtMs + FRESH.seconds * 1000).toISOString();
    return { message: 'Thank you: this session is verified', data: { level: 1, verifiedUntil } };
  });
