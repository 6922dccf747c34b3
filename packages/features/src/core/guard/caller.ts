import { AppError, decideAccess, sha256Hex } from '@gatehouse/auth-core';
import type { SessionState, TokenState } from '@gatehouse/db/queries/find-token-state';
import type { AgentFacts, MachineTokenFacts } from '@gatehouse/http/server/http-call';
import { bearerTokenIn, sessionTokenIn } from '@gatehouse/http/server/request-headers';
import type { AccessReader, MemberSnapshot } from '../access/access-reader.js';
import type { OpenedCallerToken } from '../access/token-service.js';
import type { Context } from '../context.js';
import { hasLevel, requireLevel } from './level.js';
import { accountOfSso, idleState, isAtHome, verifiedSession } from './session-state.js';

/** How often a caller is read at most if their other sessions keep ending at the same time. */
export const MAX_READS = 3;

/** The caller. The current state decides; the token only identifies the member and the session. */
export interface Caller {
  readonly memberId: number;
  /**
   * The member's rights in this session. In a session begun by a partner they are limited to the partner's, in an
   * impersonation to the actor's.
   */
  readonly member: MemberSnapshot;
  readonly session: CallerSession;
}

export interface CallerSession {
  readonly tokenKey: string;
  /** How the token was sent: in the token header, or as a bearer. */
  readonly kind: 'session' | 'bearer';
  /** The API key of a machine, which has no session. */
  readonly keyId: number | undefined;
  /** The access token of an application that calls for the member, or as its machine. */
  readonly agent?: AgentFacts | MachineTokenFacts | undefined;
  readonly expiresAtMs: number;
  readonly issuedAtMs: number;
  /** Absent for tokens of the replaced system, which have no session row. */
  readonly id: number | undefined;
  /** The number of the session, which all its refreshed tokens share. */
  readonly familyId: number | undefined;
  /** The partner whose sign-on began this session. */
  readonly partnerId: number | undefined;
  /** Set for a session that an identity provider began. */
  readonly sso?: CallerSso | undefined;
  /** When the caller last verified who they are, by signing in or later; null for a partner's sign-on. */
  readonly verifiedAtMs: number | null;
  /** The level of that verification: 2 with a second factor. */
  readonly verifiedLevel: number;
  /** How the session was authenticated, separated by blanks; null if that is not known. */
  readonly amr: string | null;
  /** The highest level reached in the session. */
  readonly level: number;
  /** When the caller signed in. */
  readonly authTimeMs: number | null;
  /** When the session ends, however often it is refreshed; null if that is not stored. */
  readonly absoluteUntilMs: number | null;
  /** The recovery whose ticket it has; it then allows only adding a second factor. */
  readonly recoveryId: number | undefined;
  /** Set where staff act for the member. */
  readonly impersonation: CallerImpersonation | undefined;
}

export interface CallerSso {
  readonly loginId: number;
  readonly connectionId: number;
  /** The account of the connection, or `PLATFORM`. */
  readonly accountId: number;
  /** The level of the sign-in in that account. */
  readonly level: number;
  /** Whether it reaches only that account, because the member has not agreed to more. */
  readonly isNarrow: boolean;
}

export interface CallerImpersonation {
  readonly id: number;
  /** Who acts. */
  readonly actorId: number;
  readonly isReadOnly: boolean;
}

/**
 * The caller of a guarded route, by a Scheme A token in the token header or, without that header, a Scheme B
 * token as bearer, or without either by the session cookie.
 * @throws {AppError} `unauthorized`, whatever the reason; `origin_refused` for a cookie in a request of a foreign page.
 * @throws {DatabaseUnavailableError} if the current state cannot be read.
 */
export async function identifyCaller(ctx: Context, access: AccessReader): Promise<Caller> {
  const caller = await findAnyCaller(ctx, access);
  if (!caller) {
    requireOrigin(ctx);
    throw new AppError('unauthorized');
  }
  return caller;
}

/**
 * The caller of a public route; undefined without a valid token, and for a cookie in a request of a page of another site. Staff
 * who act for a member are not a caller there, because the guards audit what staff call for somebody. Neither is a session that
 * was not authenticated well enough.
 */
export async function findCaller(ctx: Context, access: AccessReader): Promise<Caller | undefined> {
  const caller = await findAnyCaller(ctx, access);
  if (caller === undefined || caller.session.impersonation !== undefined) return undefined;
  return hasLevel(ctx, caller) ? caller : undefined;
}

async function findAnyCaller(ctx: Context, access: AccessReader): Promise<Caller | undefined> {
  const { call, services } = ctx;
  const token = sessionHeader(ctx);
  if (token === undefined) {
    const authorization = call.header('authorization');
    if (authorization === undefined) return findByCookie(ctx, access);
    const bearer = services.tokens.openBearer(bearerTokenIn(authorization) ?? '');
    return bearer && recognise(ctx, access, bearer, 'bearer');
  }
  const opened = services.tokens.openSession(token);
  return opened && recognise(ctx, access, opened, 'session');
}

/** The caller by the token in the cookie, which is read only in requests that a page of ours has sent. */
async function findByCookie(ctx: Context, access: AccessReader): Promise<Caller | undefined> {
  const { call, services } = ctx;
  const sent = services.cookies.readSession(call.header('cookie'));
  if (sent === undefined || !services.cookies.isProven(call)) return undefined;
  call.facts.byCookie = sent.kind;
  const opened = services.tokens.openSession(sent.token);
  const caller = opened && (await recognise(ctx, access, opened, 'session'));
  if (caller === undefined) call.facts.isCookieOver = true;
  return caller;
}

/**
 * Refuses a call that brings only the session cookie, unless one of our pages has sent it.
 * @throws {AppError} `origin_refused`
 */
function requireOrigin({ call, services: { cookies, tokens } }: Context): void {
  const header = call.header('cookie');
  if (header === undefined || cookies.readSession(header) === undefined) return;
  if (call.header(tokens.headerName) !== undefined || call.header('authorization') !== undefined) return;
  if (!cookies.isProven(call)) throw new AppError('origin_refused');
}

/**
 * Refuses a call that asks for a session in a cookie, unless a page that may use the cookie has sent it. Guards ask this before
 * anything is written, because the answer of such a call could not be given.
 * @throws {AppError} `origin_refused`
 */
export function requireCookieOrigin({ call, services: { cookies } }: Context): void {
  if (cookies.isAsked(call) && !cookies.isProven(call)) throw new AppError('origin_refused');
}

function sessionHeader({ call, services }: Context): string | undefined {
  const { headerName } = services.tokens;
  return sessionTokenIn(headerName, call.header(headerName));
}

/** The token of a guarded call. */
export function sentToken({ call, services }: Context): string | undefined {
  const { cookies } = services;
  const token = sessionHeader({ call, services }) ?? bearerTokenIn(call.header('authorization'));
  return token ?? cookies.readSession(call.header('cookie'))?.token;
}

/**
 * The caller of the health check, which accepts Scheme B tokens only.
 * @throws {AppError} `bearer_refused`
 */
export async function identifyBearer(ctx: Context, access: AccessReader): Promise<Caller> {
  const opened = ctx.services.tokens.openBearer(bearerTokenIn(ctx.call.header('authorization')) ?? '');
  const caller = opened && (await recognise(ctx, access, opened, 'bearer'));
  if (!caller) throw new AppError('bearer_refused');
  return caller;
}

/**
 * Whether the session was kept, while all others ended, after its member was read. Its epoch is then higher than the member's
 * epoch that was read, and the member has to be read again.
 */
export function isRenewedSince({ id, sessionEpoch }: MemberSnapshot, { session }: TokenState): boolean {
  return session !== undefined && session.memberId === id && session.epoch > sessionEpoch;
}

/** The caller of an opened token, in the current state; undefined if the session is over. */
export async function recognise(
  ctx: Context,
  access: AccessReader,
  opened: OpenedCallerToken,
  kind: CallerSession['kind'],
): Promise<Caller | undefined> {
  const { roles, activity } = ctx.services;
  let found: MemberSnapshot | undefined;
  let state: TokenState;
  let reads = 0;
  do {
    reads += 1;
    await access.current();
    found = await access.member(opened.userId);
    if (!found) return undefined;
    state = await idleState(ctx, access, found, opened.tokenKey);
  } while (isRenewedSince(found, state) && reads < MAX_READS);
  const { issuedAtMs } = opened;
  const { member, session: asked } = await verifiedSession(ctx.services, access, found, {
    state,
    issuedAtMs,
  });
  if (decideAccess(roles, member, { session: asked }).reason !== undefined) return undefined;
  const { session } = state;
  const impersonation = session?.impersonation ?? undefined;
  const sso = ssoOf(found, session?.sso ?? null);
  const ssoAccountId = sso && accountOfSso(sso);
  if (typeof ssoAccountId === 'number') ctx.call.facts.ssoAccountId = ssoAccountId;
  // A token itself says that it is one of an impersonation, in case its row does not.
  if (opened.impersonationId !== impersonation?.id) return undefined;
  if (session) activity.note(session.id);
  ctx.call.facts.memberId = member.id;
  ctx.call.facts.caller = member;
  if (impersonation !== undefined) {
    const { id, actorId, accountId, mayWrite } = impersonation;
    ctx.call.facts.acting = { impersonationId: id, actorId, accountId, isReadOnly: !mayWrite };
  }
  return {
    memberId: member.id,
    member,
    session: {
      tokenKey: opened.tokenKey,
      kind,
      keyId: undefined,
      expiresAtMs: opened.expiresAtMs,
      issuedAtMs,
      id: session?.id,
      familyId: session?.familyId,
      partnerId: session?.partnerId ?? undefined,
      sso,
      verifiedAtMs: session ? session.verifiedAtMs : issuedAtMs,
      verifiedLevel: session?.verifiedLevel ?? 1,
      amr: session?.amr ?? null,
      level: session?.level ?? 1,
      authTimeMs: session ? session.authTimeMs : issuedAtMs,
      absoluteUntilMs: session?.absoluteUntilMs ?? null,
      recoveryId: session?.recoveryId ?? undefined,
      impersonation: impersonation && {
        id: impersonation.id,
        actorId: impersonation.actorId,
        isReadOnly: !impersonation.mayWrite,
      },
    },
  };
}

function ssoOf(member: MemberSnapshot, sso: SessionState['sso']): CallerSso | undefined {
  if (sso === null || sso === 'gone') return undefined;
  const { id: loginId, connectionId, accountId, level } = sso;
  return { loginId, connectionId, accountId, level, isNarrow: !isAtHome(member, sso) };
}

/** What identifies the session of a call through all its refreshed tokens, for codes and flows bound to it. */
export function sessionKey({ familyId, tokenKey }: Pick<CallerSession, 'familyId' | 'tokenKey'>): string {
  return familyId === undefined ? tokenKey : sha256Hex(`session:${familyId}`);
}

/**
 * Requires that the member began the session themselves. A partner knows the tokens of the sessions it began, the identity
 * provider of an account may sign anybody in, in an impersonation somebody else calls, and a program is not a person.
 * @throws {AppError} `permission_denied`
 */
export function requireInPerson({ session }: Pick<Caller, 'session'>): void {
  const { partnerId, impersonation, sso } = session;
  if (
    sso?.isNarrow === true ||
    partnerId !== undefined ||
    impersonation !== undefined ||
    isProgram({ session })
  )
    throw new AppError('permission_denied');
}

/** Whether a machine calls, or an application: there is no person to ask. */
export function isProgram({ session }: Pick<Caller, 'session'>): boolean {
  return session.keyId !== undefined || session.agent !== undefined;
}

/** Whether a machine calls, with an API key or by its application. */
export function isMachine({ session }: Pick<Caller, 'session'>): boolean {
  return session.keyId !== undefined || session.agent?.actsAs === 'machine';
}

/**
 * The caller of a public procedure that accepts a session if nothing else says who calls.
 * @throws {AppError} as `identifyCaller`, `requireInPerson` and `requireLevel`
 */
export async function identifyInPerson(ctx: Context, access: AccessReader): Promise<Caller> {
  const caller = await identifyCaller(ctx, access);
  requireInPerson(caller);
  requireLevel(ctx, caller);
  return caller;
}
