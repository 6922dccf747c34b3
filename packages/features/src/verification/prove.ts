import { AppError, submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { AuthenticationMethod } from '../app/authentication.js';
import type { Caller } from '../app/caller.js';
import type { Context } from '../app/context.js';
import { flowSchema } from '../app/flow.js';
import { FRESH } from '../app/freshness.js';
import { factorProcedure } from '../app/procedures.js';
import { sessionKey } from '../app/session-key.js';
import { changeDecided } from '../audit/change-decided.js';
import { recordAudit } from '../audit/record-audit.js';
import { checkPassword } from '../login/check-password.js';
import { checkProof } from '../passkey/check-proof.js';
import { authenticationResponse } from '../passkey/response-schemas.js';
import { factorCodes, sendsOne } from '../second-factor/code-schemas.js';
import { verifySession } from '../second-factor/verify-session.js';
import { passkeyVerificationOf } from './options.js';

const input = z
  .object({
    password: submittedPasswordSchema.optional(),
    ...factorCodes,
    flow: flowSchema.optional(),
    response: authenticationResponse.optional(),
  })
  .refine(sendsOne, {
    message: 'Send one of password, code, backupCode, emailCode, and flow with response',
  });

/**
 * Proves again that the caller is the member, by the password, a passkey, a code of the authenticator app, a backup
 * code or a mailed code. Afterwards this session may do what is hard to undo.
 */
export const prove = factorProcedure
  .meta({
    about: {
      summary: 'Show again who is signed in',
      refuses: ['invalid_credentials', 'invalid_challenge', 'passkey_unknown', 'rate_limited'],
    },
  })
  .input(input)
  .output(
    z.object({
      message: z.string(),
      data: z.object({ level: z.int(), verifiedUntil: z.iso.datetime() }),
    }),
  )
  .mutation(async ({ ctx, input: sent }) => {
    const { memberId, session } = ctx.caller;
    const scope = { memberId, boundKey: sessionKey(session), flow: passkeyVerificationOf(ctx.caller) };
    const checked = sent.password === undefined ? await checkProof(ctx, scope, sent) : undefined;
    if (sent.password !== undefined) await checkOwnPassword(ctx, sent.password);
    const methods: readonly AuthenticationMethod[] = checked ? checked.methods : ['pwd'];
    const verified = await changeDecided(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      await checked?.consume(tx, nowMs);
      const level = await verifySession(tx, decided, { methods, nowMs });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'session.verified',
        actorId: memberId,
        subjectKind: 'session',
        subjectId: decided.caller.session.id ?? null,
      });
      return { level, atMs: nowMs };
    }).catch(async (error: unknown) => {
      await checked?.afterRefusal(error);
      throw error;
    });
    await checked?.succeed();
    if (checked) ctx.services.wakeups.wake('mail');
    const verifiedUntil = new Date(verified.atMs + FRESH.seconds * 1000).toISOString();
    return {
      message: 'Thank you: this session is verified',
      data: { level: verified.level, verifiedUntil },
    };
  });

async function checkOwnPassword(ctx: Context & { readonly caller: Caller }, password: string): Promise<void> {
  const profile = await ctx.services.access.profile(ctx.caller.member);
  if (!profile) throw new AppError('unauthorized');
  const credential = await checkPassword(ctx, profile.sid, password);
  if (credential.id !== ctx.caller.memberId) throw new AppError('invalid_credentials');
}
