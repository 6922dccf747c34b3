import { decideAccess } from '@gatehouse/auth-core';
import type { SessionState } from '@gatehouse/db/queries/find-token-state';
import { findNewestTokenKey } from '@gatehouse/db/queries/list-sessions';
import type { AccessReader, MemberSnapshot } from '../access/access-reader.js';
import { createMemberMemo } from '../access/create-member-memo.js';
import type { Services } from '../context.js';
import { isRenewedSince, MAX_READS } from './caller.js';
import { seenState, verifiedSession } from './session-state.js';

/** A session that is open now, with its member as the session limits them. */
export interface LiveSession {
  readonly member: MemberSnapshot;
  readonly session: Awaited<ReturnType<typeof verifiedSession>>['session'];
  readonly row: SessionState;
}

/** Family of a session → the key of its newest token. A refresh is a change of the member. */
const newestTokenKey = createMemberMemo<string>();

/**
 * The session that a number names, for something issued in it at `issuedAtMs`, by its newest token. Undefined once it or its
 * member is over. This is not a use of the session. The caller has awaited `access.current()`.
 */
export async function liveSession(
  services: Pick<Services, 'config' | 'db' | 'deployment' | 'now' | 'roles'>,
  access: AccessReader,
  asked: { readonly memberId: number; readonly familyId: number; readonly issuedAtMs: number },
): Promise<LiveSession | undefined> {
  const { memberId, issuedAtMs } = asked;
  for (let read = 1; read <= MAX_READS; read += 1) {
    if (read > 1) await access.current();
    const found = await access.member(memberId);
    if (found === undefined) return undefined;
    const tokenKey = await newestTokenKey(found, asked.familyId, () =>
      findNewestTokenKey(services.db, asked),
    );
    if (tokenKey === undefined) return undefined;
    const state = await seenState(services, access, found, tokenKey);
    const { session: row } = state;
    if (row === undefined) return undefined;
    if (isRenewedSince(found, state)) continue;
    const verified = await verifiedSession(services, access, found, { state, issuedAtMs });
    const { reason } = decideAccess(services.roles, verified.member, { session: verified.session });
    return reason === undefined ? { ...verified, row } : undefined;
  }
  return undefined;
}
