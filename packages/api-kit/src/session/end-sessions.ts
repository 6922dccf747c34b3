import {
  type AccessTransaction,
  changeAccess,
  endAllSessions,
  endSession,
  endSessionById,
  insertAudit,
} from '@gatehouse/db';
import type { Caller } from '../access/caller.js';
import type { Context } from '../context.js';

type CallerContext = Context & { readonly caller: Caller };

/** Ends the session a call came with, durably: the revocation is committed before the answer. */
export async function endCallerSession(ctx: CallerContext): Promise<void> {
  const { memberId, session } = ctx.caller;
  await changeSessions(ctx, memberId, async (tx, nowMs) => {
    await endSession(tx, { tokenKey: session.tokenKey, expiresAtMs: session.expiresAtMs, nowMs });
    await audit(ctx, tx, { action: 'session.ended', memberId, sessionId: session.id });
  });
}

/** Ends one session of a member; false when there is no such open session of theirs. */
export async function endOneSession(
  ctx: CallerContext,
  { memberId, sessionId }: { memberId: number; sessionId: number },
): Promise<boolean> {
  return changeSessions(ctx, memberId, async (tx, nowMs) => {
    const hasEnded = await endSessionById(tx, { memberId, sessionId, nowMs });
    if (hasEnded) await audit(ctx, tx, { action: 'session.ended', memberId, sessionId });
    return hasEnded;
  });
}

/** Ends every session of the caller but the one of this call, tokens of the replaced system included. */
export async function endOtherSessions(ctx: CallerContext): Promise<void> {
  const { memberId, session } = ctx.caller;
  await changeSessions(ctx, memberId, async (tx, nowMs) => {
    await endAllSessions(tx, memberId, { nowMs, keep: keptSession(ctx) });
    await audit(ctx, tx, { action: 'session.others-ended', memberId, sessionId: session.id });
  });
}

/** Ends every session of a member. */
export async function endEverySession(ctx: CallerContext, memberId: number): Promise<void> {
  await changeSessions(ctx, memberId, async (tx, nowMs) => {
    await endAllSessions(tx, memberId, { nowMs });
    await audit(ctx, tx, { action: 'session.all-ended', memberId, sessionId: undefined });
  });
}

/** The session of a call, in the form `endAllSessions` keeps one alive. */
export function keptSession({ caller, call }: CallerContext) {
  const { tokenKey, kind, expiresAtMs, partnerId } = caller.session;
  return {
    tokenKey,
    kind,
    expiresAtMs,
    partnerId: partnerId ?? null,
    device: call.userAgent ?? '',
    address: call.address,
  };
}

async function changeSessions<Result>(
  ctx: CallerContext,
  memberId: number,
  body: (tx: AccessTransaction, nowMs: number) => Promise<Result>,
): Promise<Result> {
  const nowMs = ctx.kit.now();
  const result = await changeAccess(ctx.kit.db, { atMs: nowMs, members: [memberId] }, (tx) =>
    body(tx, nowMs),
  );
  ctx.kit.log.security({
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
  await insertAudit(tx, {
    atMs: ctx.kit.now(),
    action: entry.action,
    actorId: ctx.caller.memberId,
    ...(entry.memberId === ctx.caller.memberId ? {} : { onBehalfOfId: entry.memberId }),
    subjectKind: 'session',
    subjectId: entry.sessionId ?? null,
    address: ctx.call.address,
    requestId: ctx.call.requestId,
  });
}
