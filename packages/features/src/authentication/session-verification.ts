import { AppError, submittedPasswordSchema, VERIFICATION_METHODS } from '@gatehouse/auth-core';
import { listPasskeys } from '@gatehouse/db/queries/member-passkeys';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import type { AuthenticationMethod } from '../core/guard/authentication-methods.js';
import type { Caller } from '../core/guard/caller.js';
import { sessionKey } from '../core/guard/caller.js';
import {
  FRESH,
  isBoundByPolicy,
  requireMoreThanPassword,
  requireRecentSignIn,
  verificationLevelOf,
  verificationMethods,
} from '../core/guard/freshness.js';
import { requireRelyingParty } from '../core/guard/level.js';
import { type FlowScope, flowSchema } from '../core/guard/one-use-flow.js';
import { procedure } from '../core/guard/procedure.js';
import { limitMailRequests } from '../mail/limit-mails.js';
import { checkPassword } from './check-password.js';
import { checkProof } from './passkey/check-assertion.js';
import { askPasskey, requestOptions } from './passkey/passkey-options.js';
import { authenticationResponse } from './passkey/web-authn.js';
import { type CheckedTicket, checkRecoveryTicket } from './recovery/recovery-tickets.js';
import { factorCodes, queueCode, recoveryTicket, sendsOne } from './second-factor/factor-codes.js';
import { verifySession } from './second-factor/verify-session.js';

/** The ways in which the caller can verify again who they are, and what a passkey needs for it. */
export const verificationOptions = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  opensInRecovery: true,
})
  .meta({ about: { summary: 'See how to show again who is signed in' } })
  .output(
    z.object({
      data: z.object({
        /** The level that actions require that are hard to undo. */
        level: z.int(),
        methods: z.array(z.enum(VERIFICATION_METHODS)),
        /** Present if a passkey may be used. */
        flow: z.string().optional(),
        options: requestOptions.optional(),
      }),
    }),
  )
  .query(async ({ ctx }) => {
    const { services, caller } = ctx;
    const isBound = await isBoundByPolicy(ctx, caller.member);
    const methods = verificationMethods(services, caller.member, isBound);
    const level = verificationLevelOf(services, caller.member, isBound);
    if (!methods.includes('passkey') || services.relyingParty === undefined)
      return { data: { level, methods } };
    const passkeys = await listPasskeys(services.db, caller.memberId);
    const usable = passkeys.filter(({ suspectAtMs }) => suspectAtMs === null);
    const party = requireRelyingParty(services);
    return {
      data: { level, methods, ...askPasskey(services, party, passkeyVerificationOf(caller), usable) },
    };
  });

/** The binding of the flow of a passkey as verification. */
function passkeyVerificationOf({ memberId }: Pick<Caller, 'memberId'>): FlowScope {
  return { purpose: 'passkeyVerify', binding: String(memberId) };
}

/** Mails the caller a code for this session, to show again who they are or to add their first second factor. */
export const sendVerificationCode = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  opensInRecovery: true,
})
  .meta({ about: { summary: 'Get a code by mail', refuses: ['no_address', 'rate_limited'] } })
  .input(z.object({}).optional())
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId, session, member } = ctx.caller;
    const profile = await services.access.profile(member);
    const to = profile?.email ?? null;
    if (to === null) throw new AppError('no_address');
    await limitMailRequests(ctx);
    const request = { memberId, boundKey: sessionKey(session), to, askedFrom: 'device' } as const;
    await change(ctx, {}, ({ tx }) => queueCode(tx, services, request));
    services.wakeups.wake('mail');
    return { message: 'We have sent an email with a code' };
  });

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
 * Proves again that the caller is the member, by the password, a passkey, a code of the authenticator app, a backup code or a
 * mailed code. The password is not accepted if the second step is a mailed code. Afterwards this session may do what is hard to
 * undo. With the ticket of a recovery, for members whose sign-ins need no second step, it may only add a second factor.
 */
export const prove = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  opensInRecovery: true,
})
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
    const flow = passkeyVerificationOf(ctx.caller);
    const scope = { memberId, boundKey: sessionKey(session), flow, kind: 'verification' as const };
    const { password, ticket } = sent;
    const recovering = ticket === undefined ? undefined : await checkOwnTicket(ctx, ticket);
    const isByFactor = password === undefined && ticket === undefined;
    const checked = isByFactor ? await checkProof(ctx, scope, sent) : recovering;
    if (password !== undefined) {
      requireMoreThanPassword(ctx, ctx.caller);
      await checkOwnPassword(ctx, password);
    }
    const methods: readonly AuthenticationMethod[] = checked ? checked.methods : ['pwd'];
    const verified = await change(
      ctx,
      { announce: { members: [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        if (password !== undefined) requireMoreThanPassword(authorized, authorized.caller);
        await checked?.consume(tx, nowMs);
        const proven = await verifySession(tx, authorized, {
          methods,
          recoveryId: recovering?.recoveryId,
          nowMs,
        });
        await recordAudit(tx, ctx, {
          atMs: nowMs,
          action: 'session.verified',
          actorId: memberId,
          subjectKind: 'session',
          subjectId: authorized.caller.session.id ?? null,
        });
        return proven;
      },
    ).catch(async (error: unknown) => {
      await checked?.afterRefusal(error);
      throw error;
    });
    await checked?.succeed();
    if (checked) ctx.services.wakeups.wake('mail');
    const verifiedUntil = new Date(verified.verifiedAtMs + FRESH.seconds * 1000).toISOString();
    return {
      message: 'Your identity is confirmed for this session',
      data: { level: verified.level, verifiedUntil },
    };
  });

/** A ticket is one half of a recovery. The other half is a first factor, which neither a stolen token nor a mailed code is. */
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
  const credential = await checkPassword(ctx, profile.sid, password, { kind: 'verification' });
  if (credential.id !== ctx.caller.memberId) throw new AppError('invalid_credentials');
}
