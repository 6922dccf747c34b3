import type { AccessQuestion, SessionLapse } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { touchSession } from '@gatehouse/db/queries/change-session';
import type { KnownSsoLogin, SessionState, TokenState } from '@gatehouse/db/queries/find-token-state';
import { hasPartnerLink } from '@gatehouse/db/queries/partner-members';
import { PLATFORM } from '@gatehouse/db/queries/sso-connections';
import type { AccessReader, MemberSnapshot } from '../access/access-reader.js';
import type { Config } from '../config.js';
import type { Context, Services } from '../context.js';

type Bounds = Pick<
  Config,
  'JWT_EXPIRES_IN' | 'SESSION_ABSOLUTE' | 'SESSION_IDLE' | 'STAFF_SESSION_ABSOLUTE' | 'STAFF_SESSION_IDLE'
>;

type Person = Pick<MemberSnapshot, 'isPersonnel'>;

/** SESSION_ABSOLUTE if it is set; a longer JWT_EXPIRES_IN is used instead. */
const ABSOLUTE_SECONDS = 30 * 86_400;

/** When a session ends that began at `begunAtMs`, however often it is refreshed and used. */
export function absoluteEnd(config: Bounds, { isPersonnel }: Person, begunAtMs: number): number {
  const { SESSION_ABSOLUTE, STAFF_SESSION_ABSOLUTE, JWT_EXPIRES_IN } = config;
  const seconds = SESSION_ABSOLUTE ?? Math.max(ABSOLUTE_SECONDS, JWT_EXPIRES_IN);
  const most = isPersonnel ? Math.min(seconds, STAFF_SESSION_ABSOLUTE ?? seconds) : seconds;
  return begunAtMs + most * 1000;
}

/** How long a session may stay unused, in milliseconds; undefined without a limit. */
function idleLimit(config: Bounds, { isPersonnel }: Person): number | undefined {
  const { SESSION_IDLE, STAFF_SESSION_IDLE } = config;
  const seconds = isPersonnel ? (STAFF_SESSION_IDLE ?? SESSION_IDLE) : SESSION_IDLE;
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Why a session that nobody ended is over; undefined while it is not. An impersonation has its own end. */
function lapseOf(
  config: Bounds,
  member: Person,
  { state: { session }, issuedAtMs, nowMs }: { state: TokenState; issuedAtMs: number; nowMs: number },
): SessionLapse | undefined {
  if (session !== undefined && session.impersonation !== null) return undefined;
  const begunAtMs = session?.authTimeMs ?? issuedAtMs;
  if (nowMs >= (session?.absoluteUntilMs ?? Number.POSITIVE_INFINITY)) return 'too old';
  if (nowMs >= absoluteEnd(config, member, begunAtMs)) return 'too old';
  if (session === undefined) return undefined;
  if (session.retiresAtMs !== null && nowMs >= session.retiresAtMs) return 'refreshed';
  const idleMs = idleLimit(config, member);
  return idleMs !== undefined && nowMs - session.lastSeenAtMs >= idleMs ? 'idle' : undefined;
}

/** The partner of a login token that names none, as in the replaced system. It has created no account. */
export const UNNAMED_PARTNER = 0;

/**
 * Whether a login token of a partner may begin a session: the member has not ended the link since, and it is not held. A
 * session that has begun ends with the link.
 */
export async function mayPartnerSignOn(
  db: Database,
  link: { readonly partnerId: number; readonly memberId: number },
): Promise<boolean> {
  return link.partnerId === UNNAMED_PARTNER || hasPartnerLink(db, link);
}

/**
 * A member's rights in a session begun by a partner: until they consent to more, only the accounts that partner
 * created. Undefined when the session has ended: the partner was deactivated, or the member has become staff,
 * whom partners cannot sign on.
 */
export async function memberInPartnerSession(
  access: AccessReader,
  member: MemberSnapshot,
  session: { readonly partnerId: number; readonly issuedAtMs: number },
): Promise<MemberSnapshot | undefined> {
  const { partnerId, issuedAtMs } = session;
  if (member.isPersonnel) return undefined;
  if (partnerId !== UNNAMED_PARTNER) {
    const partner = await access.partner(partnerId);
    if (!partner?.isActive || issuedAtMs <= partner.tokensValidAfterMs) return undefined;
  }
  if (member.consentedPartners.has(partnerId)) return member;
  const accounts = await access.accounts([...member.memberships.keys()]);
  const isPartners = ([accountId]: [number, number]) =>
    accounts.get(accountId)?.createdByPartnerId === partnerId;
  return { ...member, memberships: new Map([...member.memberships].filter(isPartners)), grants: new Set() };
}

type SessionFacts = NonNullable<AccessQuestion['session']>;

/** A member and a session of theirs, ready for `decideAccess`. */
interface VerifiedSession {
  /** In an impersonation with its actor, in the session of a partner with what the partner reaches. */
  readonly member: MemberSnapshot;
  readonly session: SessionFacts;
}

/**
 * What decides about a session in addition to its state. It is read only for impersonations and for sessions that a
 * partner began.
 */
export async function verifiedSession(
  services: Pick<Services, 'config' | 'deployment' | 'now'>,
  access: AccessReader,
  member: MemberSnapshot,
  { state, issuedAtMs }: { state: TokenState; issuedAtMs: number },
): Promise<VerifiedSession> {
  const { config, now } = services;
  const { isRevoked, session: row } = state;
  const lapse = lapseOf(config, member, { state, issuedAtMs, nowMs: now() });
  const known = row?.impersonation ?? null;
  if (known === null) {
    const session = { isRevoked, row, lapse, issuedAtMs, impersonation: undefined };
    if (row !== undefined && row.sso !== null)
      return sessionOfConnection(services, access, member, { sso: row.sso, session });
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

/** The identity-provider sign-in of a session, if it has not ended. */
export function knownSso(sso: SessionState['sso'] | undefined): KnownSsoLogin | undefined {
  return sso === undefined || sso === null || sso === 'gone' ? undefined : sso;
}

/** Whether an identity-provider sign-in reaches everything of its member, or of the work of staff, and not one account alone. */
export function isAtHome(
  { ssoHomes, consentedSubjects }: Pick<MemberSnapshot, 'ssoHomes' | 'consentedSubjects'>,
  { accountId, subjectId }: Pick<KnownSsoLogin, 'accountId' | 'subjectId'>,
): boolean {
  return accountId === PLATFORM || ssoHomes.has(accountId) || consentedSubjects.has(subjectId);
}

/** The account to which the identity provider that began a session belongs; null for staff. */
export function accountOfSso({ accountId }: Pick<KnownSsoLogin, 'accountId'>): number | null {
  return accountId === PLATFORM ? null : accountId;
}

/**
 * Whether a sign-in by a connection of the platform is valid here for a member: only the admin service accepts it, and only for
 * staff. It ends with the connection.
 */
export function countsForStaff(
  { deployment }: Pick<Services, 'deployment'>,
  { isPersonnel }: Pick<MemberSnapshot, 'isPersonnel'>,
): boolean {
  return deployment.application === 'admin' && isPersonnel;
}

/**
 * A session that an identity provider began. It reaches only the account of the connection, unless that account manages the
 * member or they agreed to more for this very subject. It is over once the connection is switched off, and once they are staff.
 * One of the platform gives access to the work of staff, and to none of the accounts that they belong to.
 */
async function sessionOfConnection(
  services: Pick<Services, 'deployment'>,
  access: AccessReader,
  member: MemberSnapshot,
  { sso, session }: { sso: NonNullable<SessionState['sso']>; session: SessionFacts },
): Promise<VerifiedSession> {
  if (sso !== 'gone' && sso.accountId === PLATFORM && countsForStaff(services, member))
    return { member: { ...member, memberships: new Map() }, session };
  const isOn = sso !== 'gone' && !member.isPersonnel && (await isConnectionOn(access, sso));
  if (!isOn) return { member, session: { ...session, lapse: session.lapse ?? 'ended with its connection' } };
  if (isAtHome(member, sso)) return { member, session };
  const { accountId } = sso;
  const role = member.memberships.get(accountId);
  const memberships = new Map(role === undefined ? [] : [[accountId, role]]);
  return { member: { ...member, memberships, grants: new Set() }, session };
}

/** Whether the connection of a sign-in is on, and was not switched off since. */
export async function isConnectionOn(
  access: Pick<AccessReader, 'account'>,
  { accountId, connectionId, epoch }: Pick<KnownSsoLogin, 'accountId' | 'connectionId' | 'epoch'>,
): Promise<boolean> {
  const account = await access.account(accountId);
  if (account === undefined || account.isDeleted) return false;
  return account.sso?.connections.some((on) => on.id === connectionId && on.epoch === epoch) === true;
}

/**
 * The state of a caller's token. Where sessions end when they are not used, one that looks unused for half of that time is
 * read again, because it may be in use on another node, and its use is written at once, so that the other node sees it.
 * Otherwise uses are written about once a minute.
 */
export function idleState(
  ctx: Context,
  access: AccessReader,
  member: MemberSnapshot,
  tokenKey: string,
): Promise<TokenState> {
  const idleMs = idleLimit(ctx.services.config, member);
  return idleMs === undefined
    ? access.token(member, tokenKey)
    : touchBeforeIdle(ctx, access, { member, tokenKey, idleMs });
}

/** The state of a token, read again if it seems unused for too long. This is not a use of the session. */
export async function seenState(
  { config, now }: Pick<Services, 'config' | 'now'>,
  access: AccessReader,
  member: MemberSnapshot,
  tokenKey: string,
): Promise<TokenState> {
  const idleMs = idleLimit(config, member) ?? Number.POSITIVE_INFINITY;
  const state = await access.token(member, tokenKey);
  return unusedMs(state, member, now()) >= idleMs ? access.tokenAgain(member, tokenKey) : state;
}

async function touchBeforeIdle(
  { services }: Context,
  access: AccessReader,
  { member, tokenKey, idleMs }: { member: MemberSnapshot; tokenKey: string; idleMs: number },
): Promise<TokenState> {
  const nowMs = services.now();
  const state = await seenState(services, access, member, tokenKey);
  const unused = unusedMs(state, member, nowMs);
  if (unused < idleMs / 2 || unused >= idleMs || state.session === undefined) return state;
  if (access === services.access) {
    const { id: sessionId } = state.session;
    await touchSession(services.db, { sessionId, idleBeforeMs: nowMs - idleMs, nowMs });
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
