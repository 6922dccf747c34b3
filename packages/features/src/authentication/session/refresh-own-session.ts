import { AppError, randomId, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { findSuccessor, refreshSession, type Successor } from '@gatehouse/db/queries/refresh-session';
import { findFirstAccountId } from '@gatehouse/db/queries/start-session';
import { z } from 'zod';
import { change } from '../../audit/change.js';
import { recordAudit } from '../../audit/record-audit.js';
import type { SealedToken } from '../../core/access/token-service.js';
import type { Context } from '../../core/context.js';
import { type Caller, sentToken } from '../../core/guard/caller.js';
import type { NotAuthorized } from '../../core/guard/guarded.js';
import { reauthorize } from '../../core/guard/guarded.js';
import { procedure } from '../../core/guard/procedure.js';
import { absoluteEnd, accountOfSso } from '../../core/guard/session-state.js';
import { keepInCookie } from './cookie-mode.js';
import { keptSession } from './end-sessions.js';

type Called = { readonly caller: Caller };

/** How long a token lives on after its first refresh, for the calls and tabs that still use it. */
const GRACE_MS = 60_000;

/** The token of a refreshed session. */
interface Refreshed {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Gives the session of a call a new token if its token is past half of its life and the session may last longer. */
async function refreshCallerSession<Extra extends Called>(
  ctx: NotAuthorized<Extra> & Context & Called,
): Promise<Refreshed> {
  const { db, log, now } = ctx.services;
  const { memberId, session } = ctx.caller;
  const known = await findSuccessor(db, session.tokenKey);
  const untilMs = known === undefined ? newExpiry(ctx, now()) : undefined;
  if (untilMs === undefined) {
    const { caller } = await reauthorize(ctx);
    if (known !== undefined) return sealSuccessor(ctx, db, caller, known);
    return { token: sentToken(ctx) ?? '', expiresAtMs: session.expiresAtMs };
  }

  const successor = await change(
    ctx,
    { announce: { members: [memberId] } },
    async ({ tx, nowMs, ...authorized }) => {
      const { caller } = authorized;
      const jti = randomId(16);
      const next = { jti, tokenKey: sha256Hex(jti), expiresAtMs: untilMs, retiresAtMs: nowMs + GRACE_MS };
      const used = await refreshSession(tx, memberId, {
        session: keptSession({ ...ctx, caller }),
        issuedAtMs: caller.session.issuedAtMs,
        absoluteUntilMs: absoluteEndOf(ctx),
        nowMs,
        next,
      });
      if (used === next) {
        await recordAudit(tx, ctx, {
          atMs: nowMs,
          action: 'session.refreshed',
          actorId: memberId,
          subjectKind: 'session',
          subjectId: caller.session.familyId ?? null,
        });
      }
      return used;
    },
  );
  log.security({
    event: 'token.issued',
    requestId: ctx.call.requestId,
    address: ctx.call.address,
    actorId: memberId,
    memberId,
  });
  return sealSuccessor(ctx, db, ctx.caller, successor);
}

/** When a new token would expire; undefined if the old one stays. */
function newExpiry(ctx: Context & Called, nowMs: number): number | undefined {
  const { issuedAtMs, expiresAtMs, impersonation } = ctx.caller.session;
  if (impersonation !== undefined || nowMs < (issuedAtMs + expiresAtMs) / 2) return undefined;
  const lifeMs = ctx.services.config.JWT_EXPIRES_IN * 1000;
  const untilMs = Math.floor(Math.min(nowMs + lifeMs, absoluteEndOf(ctx)) / 1000) * 1000;
  return untilMs > expiresAtMs ? untilMs : undefined;
}

function absoluteEndOf({ services, caller }: Context & Called): number {
  const { absoluteUntilMs, authTimeMs, issuedAtMs } = caller.session;
  const end = absoluteEnd(services.config, caller.member, authTimeMs ?? issuedAtMs);
  return Math.min(end, absoluteUntilMs ?? end);
}

/** The token of a successor. Everybody who asks gets one with the same id and the same times. */
async function sealSuccessor(
  { services }: Context,
  db: Database,
  { memberId, session }: Caller,
  { jti, expiresAtMs, retiresAtMs }: Successor,
): Promise<SealedToken> {
  const member = await findCredentialById(db, memberId);
  if (member === undefined) throw new AppError('unauthorized');
  const life = { jti, issuedAtMs: retiresAtMs - GRACE_MS, untilMs: expiresAtMs };
  const claims = { userId: memberId, role: member.roleType, isPersonnel: member.isPersonnel };
  if (session.kind === 'bearer') return services.tokens.sealBearer(claims, life);
  const { defaultPaymentId } = member;
  const accountId =
    session.sso === undefined
      ? await findFirstAccountId(db, member, session.partnerId ?? null)
      : accountOfSso(session.sso);
  return services.tokens.sealSession({ ...claims, defaultPaymentId, accountId }, life);
}

/**
 * Extends the session of the call. Past half of its token's life the answer is a new token, and the old one ends a minute
 * later; until then it is the same token. Everybody who sends an old token in its last minute gets the same new one.
 */
export const refresh = procedure({ who: 'member', signsOut: true })
  .meta({ about: { summary: 'Extend the session' } })
  .output(
    z.object({
      data: z.object({
        /** Absent if the session is in a cookie, which is then set again. */
        token: z.string().optional(),
        expiresAt: z.iso.datetime(),
      }),
    }),
  )
  .mutation(async ({ ctx }) => {
    const { token, expiresAtMs } = await refreshCallerSession(ctx);
    const expiresAt = new Date(expiresAtMs).toISOString();
    const { byCookie } = ctx.call.facts;
    if (byCookie === undefined) return { data: { token, expiresAt } };
    keepInCookie(ctx, byCookie, { token, expiresAtMs });
    return { data: { expiresAt } };
  });
