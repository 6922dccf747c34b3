import type { AccessQuestion } from '@gatehouse/auth-core';
import type { TokenState } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import type { MemberSnapshot } from '../access/member-snapshot.js';
import { memberInPartnerSession } from './partner-session.js';
import type { Services } from './services.js';
import { lapseOf } from './session-bounds.js';

type AskedSession = NonNullable<AccessQuestion['session']>;

/** A member and a session of theirs, ready for `decideAccess`. */
export interface SessionInQuestion {
  /** In an impersonation with its actor, in the session of a partner with what the partner reaches. */
  readonly member: MemberSnapshot;
  readonly session: AskedSession;
}

/** What decides about a session: read, besides its state, only for an impersonation and for the session of a partner. */
export async function sessionInQuestion(
  { config, now }: Pick<Services, 'config' | 'now'>,
  access: AccessReader,
  member: MemberSnapshot,
  { state, issuedAtMs }: { state: TokenState; issuedAtMs: number },
): Promise<SessionInQuestion> {
  const { isRevoked, session: row } = state;
  const lapse = lapseOf(config, member, { state, issuedAtMs, nowMs: now() });
  const known = row?.impersonation ?? null;
  if (known === null) {
    const session = { isRevoked, row, lapse, issuedAtMs, impersonation: undefined };
    const partnerId = row?.partnerId ?? null;
    if (partnerId === null) return { member, session };
    const reaching = await memberInPartnerSession(access, member, { partnerId, issuedAtMs });
    if (reaching !== undefined) return { member: reaching, session };
    return { member, session: { ...session, lapse: lapse ?? 'ended with its partner' } };
  }
  const { accountId, id, actorEpoch } = known;
  const account = accountId === null ? undefined : await access.account(accountId);
  const actor = await access.member(known.actorId);
  const isExpired = row === undefined || now() >= row.expiresAtMs;
  const impersonation = { id, actorEpoch, accountId, account, isExpired };
  return { member: { ...member, actor }, session: { isRevoked, row, lapse, issuedAtMs, impersonation } };
}
