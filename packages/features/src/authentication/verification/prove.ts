import { AppError, submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { recordAudit } from '../../audit/record-audit.js';
import type { AuthenticationMethod } from '../../core/app/authentication.js';
import type { Caller } from '../../core/app/caller.js';
import type { Context } from '../../core/app/context.js';
import { flowSchema } from '../../core/app/flow.js';
import { FRESH, requireMoreThanPassword, requireRecentSignIn } from '../../core/app/freshness.js';
import { factorProcedure } from '../../core/app/procedures.js';
import { sessionKey } from '../../core/app/session-key.js';
import { checkPassword } from '../login/check-password.js';
import { checkProof } from '../passkey/check-proof.js';
import { authenticationResponse } from '../passkey/response-schemas.js';
import { type CheckedTicket, checkRecoveryTicket } from '../recovery/check-ticket.js';
import { factorCodes, recoveryTicket, sendsOne } from '../second-factor/code-schemas.js';
import { verifySession } from '../second-factor/verify-session.js';
import { passkeyVerificationOf } from './options.js';

const input = z
  .object({
    password: submittedPasswordSchema.optional(),
    ...factorCodes,
    flow: flowSchema.optional(),
    response: authenticationResponse.optional(),
    ticket: recoveryTicket.optional(),
  })
  .refine(sendsOne, {
    message: 'Send one of password, code, backupCode, emailCode, ticket, and flow with response',
  });

/**
 * Proves again that the caller is the member, by the password, a passkey, a code of the authenticator app, a backup
 * code or a mailed code; the password is none where the second step is a mailed code. Afterwards this session may do what is hard to undo. With the ticket of a recovery, for members
 * whose sign-ins ask for no second step, it may only add a second factor.
 */
export const prove = factorProcedure
  .meta({
    about: {
      summary: 'Show again who is signed in',
      refuses: [
        'invalid_credentials',
        'invalid_challenge',
        'passkey_unknown',
        'verification_required',
        'rate_limited',
      ],
      credentials: ['emailAndPassword', 'code', 'passkey'],
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
    const { password, ticket } = sent;
    const recovering = ticket === undefined ? undefined : await checkOwnTicket(ctx, ticket);
    const isByFactor = password === undefined && ticket === undefined;
    const checked = isByFactor ? await checkProof(ctx, scope, sent) : recovering;
    if (password !== undefined) {
      requireMoreThanPassword(ctx, ctx.caller);
      await checkOwnPassword(ctx, password);
    }
    const methods: readonly AuthenticationMethod[] = checked ? checked.methods : ['pwd'];
    const verified = await changeDecided(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      if (password !== undefined) requireMoreThanPassword(decided, decided.caller);
      await checked?.consume(tx, nowMs);
      const proven = await verifySession(tx, decided, {
        methods,
        recoveryId: recovering?.recoveryId,
        nowMs,
      });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'session.verified',
        actorId: memberId,
        subjectKind: 'session',
        subjectId: decided.caller.session.id ?? null,
      });
      return proven;
    }).catch(async (error: unknown) => {
      await checked?.afterRefusal(error);
      throw error;
    });
    await checked?.succeed();
    if (checked) ctx.services.wakeups.wake('mail');
    const verifiedUntil = new Date(verified.verifiedAtMs + FRESH.seconds * 1000).toISOString();
    return {
      message: 'Thank you: this session is verified',
      data: { level: verified.level, verifiedUntil },
    };
  });

/** A ticket is one half of a recovery. The other is a first factor, which neither a stolen token nor a mailed code is. */
async function checkOwnTicket(
  ctx: Context & { readonly caller: Caller },
  ticket: string,
): Promise<CheckedTicket> {
  requireRecentSignIn(ctx, ctx.caller);
  return checkRecoveryTicket(ctx, { memberId: ctx.caller.memberId, partnerId: null }, ticket);
}

async function checkOwnPassword(ctx: Context & { readonly caller: Caller }, password: string): Promise<void> {
  const profile = await ctx.services.access.profile(ctx.caller.member);
  if (!profile) throw new AppError('unauthorized');
  const credential = await checkPassword(ctx, profile.sid, password);
  if (credential.id !== ctx.caller.memberId) throw new AppError('invalid_credentials');
}
