import { AppError, isActiveMember } from '@gatehouse/auth-core';
import { bearerTokenIn } from '@gatehouse/http/server/bearer-header';
import type { AccessReader } from '../access/access-reader.js';
import type { MemberSnapshot } from '../access/member-snapshot.js';
import type { OpenedCallerToken } from '../access/token-service.js';
import type { Context } from './context.js';
import { memberInPartnerSession } from './partner-session.js';

/** The caller. The current state decides; the token only identifies the member and the session. */
export interface Caller {
  readonly memberId: number;
  /** The member's rights in this session. In a session begun by a partner they are limited to the partner's. */
  readonly member: MemberSnapshot;
  readonly session: CallerSession;
}

export interface CallerSession {
  readonly tokenKey: string;
  /** How the token was sent: in the token header, or as a bearer. */
  readonly kind: 'session' | 'bearer';
  readonly expiresAtMs: number;
  /** Absent for tokens of the replaced system, which have no session row. */
  readonly id: number | undefined;
  /** The partner whose sign-on began this session. */
  readonly partnerId: number | undefined;
  /** When the caller last verified who they are, by signing in or later; null for a partner's sign-on. */
  readonly verifiedAtMs: number | null;
  /** The level of that verification: 2 with a second factor. */
  readonly verifiedLevel: number;
  /** How the session was authenticated, separated by blanks; null where that is not known. */
  readonly amr: string | null;
  /** The highest level reached in the session. */
  readonly level: number;
  /** When the caller signed in. */
  readonly authTimeMs: number | null;
}

/**
 * The caller of a guarded route, by a Scheme A token in the token header or, without that header, a Scheme B
 * token as bearer.
 * @throws {AppError} `unauthorized`, whatever the reason.
 * @throws {DatabaseUnavailableError} if the current state cannot be read.
 */
export async function identifyCaller(ctx: Context, access: AccessReader): Promise<Caller> {
  const caller = await findCaller(ctx, access);
  if (!caller) throw new AppError('unauthorized');
  return caller;
}

/** The caller of a public route; undefined without a valid token. */
export async function findCaller(ctx: Context, access: AccessReader): Promise<Caller | undefined> {
  const { call, services } = ctx;
  const token = call.header(services.tokens.headerName);
  const kind = token === undefined ? 'bearer' : 'session';
  const opened =
    token === undefined
      ? services.tokens.openBearer(bearerTokenIn(call.header('authorization')) ?? '')
      : services.tokens.openSession(token);
  return opened && recognise(ctx, access, opened, kind);
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

async function recognise(
  ctx: Context,
  access: AccessReader,
  opened: OpenedCallerToken,
  kind: CallerSession['kind'],
): Promise<Caller | undefined> {
  await access.current();
  const member = await access.member(opened.userId);
  if (!member || !isActiveMember(ctx.services.roles, member)) return undefined;
  const { isRevoked, session } = await access.token(member, opened.tokenKey);
  if (isRevoked) return undefined;
  if (session) {
    const isAlive = session.endedAtMs === null && session.epoch === member.sessionEpoch;
    if (!isAlive || session.memberId !== member.id) return undefined;
    ctx.services.activity.note(session.id);
  } else if (opened.issuedAtMs <= member.tokensValidAfterMs) {
    return undefined;
  }
  const partnerId = session?.partnerId ?? undefined;
  const { issuedAtMs } = opened;
  const reaching =
    partnerId === undefined
      ? member
      : await memberInPartnerSession(access, member, { partnerId, issuedAtMs });
  if (!reaching) return undefined;
  ctx.call.facts.memberId = member.id;
  return {
    memberId: member.id,
    member: reaching,
    session: {
      tokenKey: opened.tokenKey,
      kind,
      expiresAtMs: opened.expiresAtMs,
      id: session?.id,
      partnerId,
      verifiedAtMs: session ? session.verifiedAtMs : issuedAtMs,
      verifiedLevel: session?.verifiedLevel ?? 1,
      amr: session?.amr ?? null,
      level: session?.level ?? 1,
      authTimeMs: session ? session.authTimeMs : issuedAtMs,
    },
  };
}
