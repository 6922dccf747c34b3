import { AppError, emailKey, loginNameSchema } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { type Credential, findCredentialById } from '@gatehouse/db/queries/passwords';
import { hasConnection } from '@gatehouse/db/queries/read-connections';
import { lockSsoConnection, PLATFORM } from '@gatehouse/db/queries/sso-connections';
import { findSsoLogin, type SsoLogin } from '@gatehouse/db/queries/sso-logins';
import { z } from 'zod';
import type { AccessReader, MemberSnapshot } from '../core/access/access-reader.js';
import { createLockedReader, type LockedReader } from '../core/access/create-locked-reader.js';
import type { OneUseKind, OpenedOneUseToken } from '../core/access/token-service.js';
import type { Context, Services } from '../core/context.js';
import type { AuthenticationMethod } from '../core/guard/authentication-methods.js';
import { publicProcedure } from '../core/guard/procedure.js';
import {
  countsForStaff,
  isAtHome,
  isConnectionOn,
  mayPartnerSignOn,
  memberInPartnerSession,
  UNNAMED_PARTNER,
} from '../core/guard/session-state.js';
import { isBoundStaffSignIn } from '../core/staff-sign-in-cookie.js';
import { applicationTypeOf, finishSignIn } from './finish-sign-in.js';
import { signedInView, toSignedIn } from './sign-in-answer.js';
import type { ProvenSso } from './step-challenge.js';

/** A proof of a sign-in, and whose it is. */
interface RedeemedToken {
  readonly member: Credential;
  /** Consumed in the session's transaction, so that only one of two uses succeeds. */
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
  readonly methods: readonly AuthenticationMethod[];
  readonly partnerId?: number;
  readonly sso?: ProvenSso;
  /**
   * Whether the token still opens a session, on rows locked until the transaction ends.
   * @throws {AppError} `invalid_token` if it does not
   */
  readonly claim: (tx: Database) => Promise<true>;
}

/**
 * The member of a social callback or partner login token.
 * @throws {AppError} `invalid_token` for every problem
 */
export async function redeemLoginToken(
  ctx: Context,
  request: {
    token: string | undefined;
    email: string | undefined;
    accepts: readonly ('socialLogin' | 'partnerLogin' | 'ssoLogin')[];
  },
): Promise<RedeemedToken> {
  const { services } = ctx;
  const opened = services.tokens.openOneUse(request.token ?? '', request.accepts);
  const login = opened?.loginId === undefined ? undefined : await findSsoLogin(services.db, opened.loginId);
  const member = opened && (await findCredentialById(services.db, opened.userId));
  if (!opened || !member || !isActiveAt(member, services.now())) throw new AppError('invalid_token');
  const isTheirs =
    request.email === undefined || [member.emailKey, member.sidKey].includes(emailKey(request.email));
  const partnerId = opened.kind === 'partnerLogin' ? (opened.partnerId ?? UNNAMED_PARTNER) : undefined;
  const requireOpen = async (db: Database, access: AccessReader): Promise<true> => {
    await access.current();
    if (!(await opensSession({ ...services, db }, access, { ...opened, partnerId })))
      throw new AppError('invalid_token');
    return true;
  };
  const isForeign =
    login?.accountId === PLATFORM &&
    !isBoundStaffSignIn(services, request.token ?? '', ctx.call.header('cookie'));
  if (!isTheirs || isForeign) throw new AppError('invalid_token');
  await requireOpen(services.db, services.access);
  if (opened.kind === 'ssoLogin' && login === undefined) throw new AppError('invalid_token');
  const snapshot = login && (await services.access.member(member.id));
  return {
    member,
    consume: { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs },
    methods: [methodOf(opened.kind)],
    ...(login && snapshot ? { sso: toProvenSso(login, snapshot) } : {}),
    ...(partnerId === undefined ? {} : { partnerId }),
    async claim(tx) {
      const reader = createLockedReader(tx, services.now());
      if (login !== undefined) await lockConnectionOf(tx, reader, login);
      // The session that follows writes to the member's row.
      await reader.lockMember(member.id, 'exclusive');
      return requireOpen(tx, reader);
    },
  };
}

/**
 * Whether the token is still valid: the connection exists, the member has not ended all sessions since, and the partner may still
 * sign them on. The epoch in the token tells exactly whether they have. Times in tokens are whole seconds, so a token without an
 * epoch that was made in the second of that end is regarded as older.
 */
async function opensSession(
  services: Pick<Services, 'db' | 'deployment'>,
  access: AccessReader,
  token: Pick<
    OpenedOneUseToken,
    'userId' | 'connectionId' | 'partnerId' | 'loginId' | 'sessionEpoch' | 'issuedAtMs'
  >,
): Promise<boolean> {
  const { db } = services;
  const { userId: memberId, connectionId: id, partnerId, loginId, issuedAtMs } = token;
  const snapshot = await access.member(memberId);
  if (!snapshot || !isOfPresentSessions(snapshot, token)) return false;
  if (id !== undefined && !(await hasConnection(db, { id, memberId }))) return false;
  if (loginId !== undefined) return mayFederate(services, access, { loginId, member: snapshot });
  if (partnerId === undefined) return true;
  if (!(await mayPartnerSignOn(db, { partnerId, memberId }))) return false;
  return (await memberInPartnerSession(access, snapshot, { partnerId, issuedAtMs })) !== undefined;
}

/** The proof of a sign-in by an identity provider. */
export function toProvenSso(
  login: SsoLogin,
  member: Pick<MemberSnapshot, 'ssoHomes' | 'consentedSubjects'>,
): ProvenSso {
  const { id: loginId, accountId, untilMs } = login;
  return { loginId, accountId, untilMs, isNarrow: !isAtHome(member, login) };
}

function methodOf(kind: OneUseKind): AuthenticationMethod {
  if (kind === 'ssoLogin') return 'fed';
  return kind === 'partnerLogin' ? 'partner' : 'social';
}

/** Locks what decides whether the connection of a sign-in is on: its account, or itself. Call it before locking the member. */
export async function lockConnectionOf(
  tx: Database,
  reader: LockedReader,
  { accountId, connectionId }: SsoLogin,
): Promise<void> {
  if (accountId === PLATFORM) await lockSsoConnection(tx, connectionId, 'share');
  else await reader.lockAccounts([accountId], 'share');
}

/**
 * Whether a sign-in by an identity provider is still valid: its connection is active, and the member is in the account and not
 * staff; or they are staff, and the connection is one of the platform, whose sign-ins end when it is switched off.
 */
export async function mayFederate(
  services: Pick<Services, 'db' | 'deployment'>,
  access: AccessReader,
  { loginId, member }: { loginId: number; member: MemberSnapshot },
): Promise<boolean> {
  const login = await findSsoLogin(services.db, loginId);
  if (login === undefined || login.memberId !== member.id) return false;
  if (login.accountId === PLATFORM) return countsForStaff(services, member);
  if (member.isPersonnel) return false;
  return member.memberships.has(login.accountId) && (await isConnectionOn(access, login));
}

/** A restored database may have the epoch of the token again, so the time of the last end is compared in any case. */
function isOfPresentSessions(
  member: MemberSnapshot,
  { sessionEpoch, issuedAtMs }: Pick<OpenedOneUseToken, 'sessionEpoch' | 'issuedAtMs'>,
): boolean {
  if (sessionEpoch === undefined) return issuedAtMs > member.tokensValidAfterMs;
  return sessionEpoch === member.sessionEpoch && issuedAtMs + 1000 > member.tokensValidAfterMs;
}

/** Signs in with the one-use token of a provider or partner. Where a second step is due, the token is spent. */
export const signInByToken = publicProcedure
  .meta({
    about: {
      summary: 'Sign in with the token of a provider or partner',
      refuses: [
        'invalid_token',
        'second_factor_required',
        'role_not_allowed',
        'invalid_credentials',
        'sso_required',
      ],
      readsApptype: true,
    },
  })
  .input(z.object({ token: z.string(), email: loginNameSchema.optional() }))
  .output(signedInView)
  .mutation(async ({ ctx, input: sent }) => {
    const application = applicationTypeOf(ctx, ctx.services.deployment.application);
    const { member, ...redeemed } = await redeemLoginToken(ctx, {
      token: sent.token,
      email: sent.email,
      accepts: ['socialLogin', 'partnerLogin', 'ssoLogin'],
    });
    const session = await finishSignIn(ctx, member, { kind: 'session', application, ...redeemed });
    return toSignedIn(ctx, session);
  });
