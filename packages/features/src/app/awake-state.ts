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
export async function awakeState(
  { services }: Context,
  access: AccessReader,
  member: MemberSnapshot,
  tokenKey: string,
): Promise<TokenState> {
  const state = await access.token(member, tokenKey);
  const idleMs = idleLimit(services.config, member);
  if (idleMs === undefined || state.session === undefined) return state;
  const nowMs = services.now();
  const { id: sessionId, lastSeenAtMs } = state.session;
  if (nowMs - lastSeenAtMs < idleMs / 2) return state;
  if (access === services.access)
    await keepSessionAwake(services.db, { sessionId, idleBeforeMs: nowMs - idleMs, nowMs });
  return access.tokenAgain(member, tokenKey);
}
