import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findTokenState } from '@gatehouse/db/queries/find-token-state';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { endSession } from '@gatehouse/db/queries/revoke-sessions';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context } from '../core/context.js';
import { ENROLMENT, hasOwnPasskey, requiredLevelOfMember, requiresView } from '../core/guard/level.js';
import type { OpenedSession } from './finish-sign-in.js';
import { FEW_BACKUP_CODES } from './second-factor/factor-codes.js';
import { forgetCookie, forgetSelectedAccount, isCookieMode, keepInCookie } from './session/cookie-mode.js';

/**
 * Puts a new session into the cookie, in cookie mode. The session that was there ends, because its browser could no longer use or end
 * it.
 * @returns whether it is in the cookie, and its token in no answer
 */
async function putInCookie(ctx: Context, session: OpenedSession): Promise<boolean> {
  if (session.kind !== 'session' || !isCookieMode(ctx)) return false;
  await endReplaced(ctx);
  keepInCookie(ctx, 'session', session);
  const { cookies } = ctx.services;
  // A new sign-in ends the second step and the impersonation that the browser had begun.
  for (const kind of ['step', 'acting'] as const)
    if (cookies.read(kind, ctx.call.header('cookie')) !== undefined) forgetCookie(ctx, kind);
  forgetSelectedAccount(ctx);
  return true;
}

async function endReplaced(ctx: Context): Promise<void> {
  const { services, call } = ctx;
  const token = services.cookies.read('session', call.header('cookie'));
  const opened = token === undefined ? undefined : services.tokens.openSession(token);
  if (opened === undefined) return;
  const { userId: memberId, tokenKey, expiresAtMs } = opened;
  if ((await findTokenState(services.db, tokenKey))?.isRevoked === true) return;
  const nowMs = services.now();
  await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    await createLockedReader(tx, nowMs).lockMember(memberId, 'exclusive');
    await endSession(tx, { tokenKey, expiresAtMs, reason: 'replaced', endedById: memberId, nowMs });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'session.ended',
      actorId: memberId,
      subjectKind: 'session',
      subjectId: null,
    });
  });
  const { requestId, address } = call;
  services.log.security({ event: 'token.revoked', requestId, address, actorId: memberId, memberId });
}

/** The answer of every sign-in. */
export const signedInView = z.object({
  data: z.object({
    /** Absent if the session is in a cookie. */
    token: z.string().optional(),
    expiresAt: z.iso.datetime(),
    userId: z.int(),
    role: z.int(),
    accountId: z.int().nullable(),
    isPersonnel: z.boolean(),
    level: z.int(),
    /** How the session was authenticated. */
    methods: z.array(z.string()),
    /** What the session needs before it may be used; null if nothing. */
    requires: requiresView,
    /** What to ask the member for. */
    prompts: z.array(z.enum(['changePassword', 'addPasskey', 'newBackupCodes'])),
  }),
});

/** A session as its sign-in answers. */
export async function toSignedIn(
  ctx: Context,
  session: OpenedSession,
): Promise<z.output<typeof signedInView>> {
  const { token, expiresAtMs, userId, role, accountId, isPersonnel, level, methods } = session;
  const isInCookie = await putInCookie(ctx, session);
  const factors = await findMemberFactors(ctx.services.db, userId);
  const lacksPasskey =
    ctx.services.relyingParty !== undefined &&
    factors !== undefined &&
    !methods.includes('partner') &&
    !hasOwnPasskey(ctx.services, factors);
  const isLow = factors?.secondFactor === true && factors.backupCodesLeft <= FEW_BACKUP_CODES;
  return {
    data: {
      ...(isInCookie ? {} : { token }),
      expiresAt: new Date(expiresAtMs).toISOString(),
      userId,
      role,
      accountId,
      isPersonnel,
      level,
      methods: [...methods],
      requires: await lackedBySession(ctx.services, session),
      prompts: [
        ...((factors?.passwordListedAtMs ?? null) === null ? [] : (['changePassword'] as const)),
        ...(lacksPasskey ? (['addPasskey'] as const) : []),
        ...(isLow ? (['newBackupCodes'] as const) : []),
      ],
    },
  };
}

/** The level that the member needs, as staff or in an account, and that the session has not reached. */
async function lackedBySession(
  services: Context['services'],
  { userId, level, isEnrolment }: OpenedSession,
): Promise<z.output<typeof requiresView>> {
  const { access } = services;
  await access.current();
  const member = await access.member(userId);
  if (member === undefined) return null;
  const asked = await requiredLevelOfMember(services, access, member);
  if (isEnrolment) return asked ?? ENROLMENT;
  return asked !== undefined && asked.level > level ? asked : null;
}

/** The fields of a new session in an answer: its token or, if a cookie has the token, when it ends. */
export const answeredSessionShape = {
  token: z.string().optional(),
  expiresAt: z.iso.datetime().optional(),
};

/** Hands over a new session, in the answer or in a cookie. */
export async function answeredSession(
  ctx: Context,
  session: OpenedSession,
): Promise<{ token: string } | { expiresAt: string }> {
  if (!(await putInCookie(ctx, session))) return { token: session.token };
  return { expiresAt: new Date(session.expiresAtMs).toISOString() };
}
