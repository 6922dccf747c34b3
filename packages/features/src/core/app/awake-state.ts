import { keepSessionAwake, type TokenState } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import type { MemberSnapshot } from '../access/member-snapshot.js';
import type { Context } from './context.js';
import { idleLimit } from './session-bounds.js';

/**
 * The state of a caller's token. Where sessions end when they are not used, one that looks unused for half of that time is
 * read again, because it may be in use on another node, and its use is written at once, so that the other node sees it.
 * Otherwise uses are written about once a minute.
 */
export function awakeState(
  ctx: Context,
  access: AccessReader,
  member: MemberSnapshot,
  tokenKey: string,
): Promise<TokenState> {
  const idleMs = idleLimit(ctx.services.config, member);
  return idleMs === undefined
    ? access.token(member, tokenKey)
    : keepAwake(ctx, access, { member, tokenKey, idleMs });
}

async function keepAwake(
  { services }: Context,
  access: AccessReader,
  { member, tokenKey, idleMs }: { member: MemberSnapshot; tokenKey: string; idleMs: number },
): Promise<TokenState> {
  const nowMs = services.now();
  let state = await access.token(member, tokenKey);
  if (unusedMs(state, member, nowMs) >= idleMs) state = await access.tokenAgain(member, tokenKey);
  const unused = unusedMs(state, member, nowMs);
  if (unused < idleMs / 2 || unused >= idleMs || state.session === undefined) return state;
  if (access === services.access) {
    const { id: sessionId } = state.session;
    await keepSessionAwake(services.db, { sessionId, idleBeforeMs: nowMs - idleMs, nowMs });
  }
  return access.tokenAgain(member, tokenKey);
}

/** For how long a session was not used; 0 for one that is over anyway, and for a token without a session. */
function unusedMs(
  { isRevoked, session }: TokenState,
  { id, sessionEpoch }: MemberSnapshot,
  nowMs: number,
): number {
  if (isRevoked || session === undefined || session.endedAtMs !== null) return 0;
  if (session.memberId !== id || session.epoch !== sessionEpoch) return 0;
  if (session.retiresAtMs !== null && nowMs >= session.retiresAtMs) return 0;
  return nowMs - session.lastSeenAtMs;
}
