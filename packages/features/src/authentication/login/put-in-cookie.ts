import { changeAccess, endSession, findTokenState } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Context } from '../../core/app/context.js';
import { forgetCookie, forgetSelectedAccount, isCookieMode, keepInCookie } from './cookie-mode.js';
import type { OpenedSession } from './finish-sign-in.js';

/**
 * Puts a session that has begun into the cookie, in cookie mode. The one that was there ends: its browser has nothing left to use or
 * end it with.
 * @returns whether it is in the cookie, and its token in no answer
 */
export async function putInCookie(ctx: Context, session: OpenedSession): Promise<boolean> {
  if (session.kind !== 'session' || !isCookieMode(ctx)) return false;
  await endReplaced(ctx);
  keepInCookie(ctx, 'session', session);
  const { cookies } = ctx.services;
  // Whoever signs in is no longer somebody else.
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
    await endSession(tx, { tokenKey, expiresAtMs, nowMs });
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
