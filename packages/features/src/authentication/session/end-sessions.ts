import { AppError } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { endAllSessions, endSession, endSessionById } from '@gatehouse/db/queries/revoke-sessions';
import { findSsoLogin } from '@gatehouse/db/queries/sso-logins';
import { z } from 'zod';
import { change } from '../../audit/change.js';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/context.js';
import type { Caller } from '../../core/guard/caller.js';
import type { Guarded, NotAuthorized } from '../../core/guard/guarded.js';
import { procedure } from '../../core/guard/procedure.js';
import { forgetSession } from './cookie-mode.js';

type Called = { readonly caller: Caller };

type CallerContext = Context & Called;

/** Further conditions for ending another member's sessions, checked in the transaction. Throws when one fails. */
type SessionCondition<Extra> = (
  tx: AccessTransaction,
  nowMs: number,
  authorized: Guarded<Extra>,
) => Promise<unknown>;

/** Ends the session of a call durably: the revocation is committed before the answer. */
export async function endCallerSession<Extra extends Called>(
  ctx: NotAuthorized<Extra> & CallerContext,
): Promise<void> {
  const { memberId, session } = ctx.caller;
  await changeSessions(ctx, memberId, async (tx, nowMs) => {
    const end = { reason: 'signed_out', endedById: memberId, nowMs } as const;
    await endSession(tx, { tokenKey: session.tokenKey, expiresAtMs: session.expiresAtMs, ...end });
    await audit(ctx, tx, { action: 'session.ended', memberId, sessionId: session.familyId });
  });
}

/** Ends one session of a member; false when they have no such open session. */
export async function endOneSession<Extra extends Called>(
  ctx: NotAuthorized<Extra> & CallerContext,
  { memberId, sessionId }: { memberId: number; sessionId: number },
  condition?: SessionCondition<Extra>,
): Promise<boolean> {
  return changeSessions(ctx, memberId, async (tx, nowMs, authorized) => {
    await condition?.(tx, nowMs, authorized);
    const hasEnded = await endSessionById(tx, { memberId, sessionId, ...revocation(ctx, nowMs) });
    if (hasEnded) await audit(ctx, tx, { action: 'session.ended', memberId, sessionId });
    return hasEnded;
  });
}

/** Ends every session of the caller except this one, including tokens of the replaced system. */
async function endOtherSessions<Extra extends Called>(
  ctx: NotAuthorized<Extra> & CallerContext,
): Promise<void> {
  const { memberId, session } = ctx.caller;
  await changeSessions(ctx, memberId, async (tx, nowMs) => {
    await endAllSessions(tx, memberId, { ...revocation(ctx, nowMs), keep: keptSession(ctx) });
    await audit(ctx, tx, { action: 'session.others-ended', memberId, sessionId: session.familyId });
  });
}

/** Ends every session of a member. */
export async function endEverySession<Extra extends Called>(
  ctx: NotAuthorized<Extra> & CallerContext,
  memberId: number,
  condition?: SessionCondition<Extra>,
): Promise<void> {
  await changeSessions(ctx, memberId, async (tx, nowMs, authorized) => {
    await condition?.(tx, nowMs, authorized);
    await endAllSessions(tx, memberId, revocation(ctx, nowMs));
    await audit(ctx, tx, { action: 'session.all-ended', memberId, sessionId: undefined });
  });
}

const revocation = ({ caller }: CallerContext, nowMs: number) =>
  ({ reason: 'revoked', endedById: caller.memberId, nowMs }) as const;

/** The session of a call, in the form `endAllSessions` keeps. */
export function keptSession({ caller, call }: CallerContext) {
  const { tokenKey, kind, expiresAtMs, partnerId, verifiedAtMs } = caller.session;
  const { verifiedLevel, amr, level, authTimeMs, familyId } = caller.session;
  return {
    tokenKey,
    kind,
    expiresAtMs,
    partnerId: partnerId ?? null,
    verifiedAtMs,
    verifiedLevel,
    amr,
    level,
    authTimeMs,
    familyId: familyId ?? null,
    device: call.userAgent ?? '',
    address: call.address,
  };
}

async function changeSessions<Extra extends Called, Result>(
  ctx: NotAuthorized<Extra> & CallerContext,
  memberId: number,
  body: (tx: AccessTransaction, nowMs: number, authorized: Guarded<Extra>) => Promise<Result>,
): Promise<Result> {
  const result = await change(ctx, { announce: { members: [memberId] } }, (changing) =>
    body(changing.tx, changing.nowMs, changing),
  );
  ctx.services.log.security({
    event: 'token.revoked',
    requestId: ctx.call.requestId,
    address: ctx.call.address,
    actorId: ctx.caller.memberId,
    memberId,
  });
  return result;
}

async function audit(
  ctx: CallerContext,
  tx: AccessTransaction,
  entry: { action: string; memberId: number; sessionId: number | undefined },
): Promise<void> {
  await recordAudit(tx, ctx, {
    atMs: ctx.services.now(),
    action: entry.action,
    actorId: ctx.caller.memberId,
    ...(entry.memberId === ctx.caller.memberId ? {} : { onBehalfOfId: entry.memberId }),
    subjectKind: 'session',
    subjectId: entry.sessionId ?? null,
  });
}

/** Signs out. After the answer the token is invalid on every node. */
export const endOwnSession = procedure({
  who: 'member',
  signsOut: true,
  opensBelowLevel: true,
  opensInRecovery: true,
})
  .output(
    z.object({
      message: z.string(),
      /** Where the browser also signs out of the identity provider that began the session. */
      logoutUrl: z.string().optional(),
    }),
  )
  .mutation(async ({ ctx }) => {
    const loginId = ctx.caller.session.sso?.loginId;
    const login = loginId === undefined ? undefined : await findSsoLogin(ctx.services.db, loginId);
    await endCallerSession(ctx);
    forgetSession(ctx);
    const logoutUrl = login && (await ctx.services.providerSignOut(login));
    return { message: 'Signed out', ...(logoutUrl === undefined ? {} : { logoutUrl }) };
  });

const input = z
  .object({ sessionId: z.number().int().positive().optional(), others: z.boolean().optional() })
  .refine((value) => (value.sessionId === undefined) === (value.others === true), {
    message: 'Either a sessionId, or others: true',
    path: ['sessionId'],
  });

/** Ends one session of the caller, or all except this one. */
export const endManySessions = procedure({ who: 'member', inPerson: true })
  .input(input)
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { sessionId } }) => {
    if (sessionId === undefined) {
      await endOtherSessions(ctx);
      return { message: 'All other sessions have been signed out' };
    }
    const hasEnded = await endOneSession(ctx, { memberId: ctx.caller.memberId, sessionId });
    if (!hasEnded) throw new AppError('not_found');
    return { message: 'The session has ended' };
  });
