import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { setSessionVerified } from '@gatehouse/db/queries/change-session';
import type { Context } from '../../core/context.js';
import {
  type AuthenticationMethod,
  levelOf,
  readAmr,
  toAmr,
} from '../../core/guard/authentication-methods.js';
import type { Caller } from '../../core/guard/caller.js';
import { FRESH } from '../../core/guard/freshness.js';
import { keptSession } from '../session/end-sessions.js';

/**
 * Records that the caller has just verified who they are, in the session of the call. A verification of a lower level does not
 * end a recent one of a higher level.
 * @param recoveryId set if they did so by the ticket of a recovery: the session then only adds a second factor
 * @returns the level of this verification, and the time of the valid one
 */
export async function verifySession(
  tx: AccessTransaction,
  ctx: Context & { readonly caller: Caller },
  {
    methods,
    recoveryId,
    nowMs,
  }: { methods: readonly AuthenticationMethod[]; recoveryId?: number | undefined; nowMs: number },
): Promise<{ level: number; verifiedAtMs: number }> {
  const { memberId, session } = ctx.caller;
  const level = levelOf(methods);
  const { verifiedAtMs, verifiedLevel } = session;
  const isRecent = verifiedAtMs !== null && nowMs < verifiedAtMs + FRESH.seconds * 1000;
  if (recoveryId === undefined && isRecent && verifiedLevel > level) return { level, verifiedAtMs };
  const kept = keptSession(ctx);
  const reached = { verifiedLevel: level, level: Math.max(level, session.level) };
  const amr = session.amr === null ? null : toAmr([...readAmr(session.amr), ...methods]);
  await setSessionVerified(tx, memberId, {
    session: { ...kept, ...reached, amr },
    recoveryId,
    nowMs,
  });
  return { level, verifiedAtMs: nowMs };
}
