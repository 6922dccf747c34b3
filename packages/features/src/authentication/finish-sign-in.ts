import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { findOpenRecovery } from '@gatehouse/db/queries/recoveries';
import { PLATFORM } from '@gatehouse/db/queries/sso-connections';
import { findFirstAccountId, startSession } from '@gatehouse/db/queries/start-session';
import { lockPlantedAccounts } from '@gatehouse/db/queries/take-member-over';
import { recordAudit } from '../audit/record-audit.js';
import type { ApplicationType, Context } from '../core/context.js';
import { type AuthenticationMethod, levelOf, toAmr } from '../core/guard/authentication-methods.js';
import { absoluteEnd, accountOfSso } from '../core/guard/session-state.js';
import { type CheckedCredential, isNewlyListed, recordListed } from './check-password.js';
import { abandonRecovery, closeRecovery } from './recovery/close-recovery.js';
import { type SignInSignals, watchSignIn } from './sign-in-signals.js';
import { requireOwnSignInIn, requireOwnSignInStill } from './sso-bypass.js';
import { challengeSignIn, consumeProof, type SessionKind, type SignInProof } from './step-challenge.js';
import { endEarlierSignIns } from './take-over.js';

const NAMES: ReadonlyMap<string, ApplicationType> = new Map([
  ['web', 'web'],
  ['mobile', 'mobile'],
  ['designer', 'designer'],
  ['admin', 'admin'],
]);

/** Base64 or base64url (RFC 4648), with or without padding. */
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;

/**
 * The application of a login, from the base64 `Apptype` header; the deployment's default if the header is
 * absent or unknown.
 * @throws {AppError} `invalid_apptype` if it is neither base64 nor base64url
 */
export function applicationTypeOf(ctx: Context, own: ApplicationType): ApplicationType {
  const header = ctx.call.header('apptype')?.trim();
  if (header === undefined || header === '') return own;
  if (!BASE64.test(header)) throw new AppError('invalid_apptype');
  const name = Buffer.from(header, 'base64').toString();
  return NAMES.get(name) ?? ctx.services.config.APPTYPE_MAP.get(name) ?? own;
}

/** An application as it was stored; the web application if a later release stored it. */
export function readApplicationType(stored: string): ApplicationType {
  return NAMES.get(stored) ?? 'web';
}

/**
 * Checks that a member may sign in to an application. Designers need that base role. The admin application and
 * deployment need staff.
 * @throws {AppError} `role_not_allowed`
 */
function requireAllowedRole(
  ctx: Context,
  member: { readonly roleType: number; readonly isPersonnel: boolean },
  application: ApplicationType,
): void {
  const isForStaff = application === 'admin' || ctx.services.deployment.application === 'admin';
  const isRefused =
    (isForStaff && !member.isPersonnel) ||
    (application === 'designer' && member.roleType !== ctx.services.roles.id.designer);
  if (isRefused) throw new AppError('role_not_allowed');
}

export interface OpenedSession {
  readonly kind: SessionKind;
  readonly token: string;
  readonly expiresAtMs: number;
  readonly userId: number;
  readonly role: number;
  /** The lowest account the member may act in, null without one. */
  readonly accountId: number | null;
  readonly isPersonnel: boolean;
  readonly level: number;
  readonly methods: readonly AuthenticationMethod[];
  /** Whether the session belongs to a recovery, and allows only adding a second factor. */
  readonly isEnrolment: boolean;
}

/**
 * The end of every sign-in, and the only place that makes a session. In one transaction it consumes the proof and
 * makes the session or, while the member's sign-ins take a second step, the challenge of that step. Refused when
 * the member's password, factors, state or role changed since the check, or the one-use token was consumed.
 * @throws {AppError} `invalid_credentials`, `invalid_token`, `role_not_allowed`, `sso_required` for those whose account requires its
 *   identity provider, or `second_factor_required` with the challenge, after the commit
 */
export async function finishSignIn(
  ctx: Context,
  member: CheckedCredential,
  proof: SignInProof,
): Promise<OpenedSession> {
  if (proof.application !== undefined) requireAllowedRole(ctx, member, proof.application);
  if (member.secondFactor && proof.hasStepped !== true) {
    if (isOwnSignIn(ctx, proof)) await requireOwnSignInStill(ctx.services, member);
    return challengeSignIn(ctx, member, proof);
  }
  return openSession(ctx, member, proof);
}

/** Whether nobody vouches for the member: no identity provider of an account, and no partner, whose session reaches no such account. */
function isOwnSignIn({ services }: Context, { sso, partnerId }: SignInProof): boolean {
  return sso === undefined && partnerId === undefined && services.deployment.application !== 'admin';
}

async function openSession(
  ctx: Context,
  member: CheckedCredential,
  proof: SignInProof,
): Promise<OpenedSession> {
  const { services, call } = ctx;
  const { kind, methods } = proof;
  const nowMs = services.now();
  const level = levelOf(methods);
  const { sso } = proof;
  // Actions that require a recent proof require one of the staff's own: their second step, or a verification.
  const isUnverified = sso?.isNarrow === true || (sso?.accountId === PLATFORM && proof.hasStepped !== true);
  const latestMs = absoluteEnd(services.config, member, nowMs);
  const absoluteUntilMs = Math.min(latestMs, sso?.untilMs ?? latestMs);
  const accountId =
    sso === undefined
      ? await findFirstAccountId(services.db, member, proof.partnerId ?? null)
      : accountOfSso(sso);
  const claims = { userId: member.id, role: member.roleType, isPersonnel: member.isPersonnel };
  const sealed =
    kind === 'bearer'
      ? services.tokens.sealBearer(claims, { untilMs: absoluteUntilMs })
      : services.tokens.sealSession(
          { ...claims, defaultPaymentId: member.defaultPaymentId, accountId },
          { untilMs: absoluteUntilMs },
        );
  let signals: SignInSignals = { hasManyNetworks: false };
  const how = { amr: toAmr(methods), level };
  const start = async (tx: Database, accessTx?: AccessTransaction): Promise<number | undefined> => {
    const lockedAccounts = accessTx && proof.provesAddress ? await lockPlantedAccounts(tx, member.id) : [];
    if (!(await consumeProof(tx, proof))) return undefined;
    if (isOwnSignIn(ctx, proof)) await requireOwnSignInIn(tx, services, member);
    const session = await startSession(tx, {
      memberId: member.id,
      expectedPassword: member.password,
      expectedFactorEpoch: member.factorEpoch,
      expectedStatus: member,
      isHeard: member.areSessionsHeard,
      tokenKey: sealed.tokenKey,
      kind,
      device: call.userAgent ?? '',
      address: call.address,
      partnerId: proof.partnerId ?? null,
      ssoLoginId: sso?.loginId ?? null,
      ...(isUnverified ? { isUnverified } : {}),
      recoveryId: proof.recoveryId ?? null,
      nowMs,
      expiresAtMs: sealed.expiresAtMs,
      absoluteUntilMs,
      ...how,
    });
    if (!session) return undefined;
    if (session.roleType !== member.roleType || session.isPersonnel !== member.isPersonnel)
      throw new AppError('invalid_credentials');
    if (accessTx && isNewlyListed(member)) await recordListed(accessTx, ctx, member);
    if (accessTx && proof.provesAddress) {
      const { tokenKey, expiresAtMs } = sealed;
      const device = { device: call.userAgent ?? '', address: call.address };
      const verification = { verifiedAtMs: nowMs, verifiedLevel: level, authTimeMs: nowMs };
      const own = { tokenKey, expiresAtMs, kind, partnerId: null, familyId: null };
      const keep = { ...own, ...verification, ...how, ...device };
      await endEarlierSignIns(accessTx, ctx, { memberId: member.id, lockedAccounts, keep });
    }
    if (level > 1) await cancelRecovery(ctx, { tx, accessTx }, member.id);
    const isFirst = proof.application === undefined || member.lastLoginAtMs === null;
    signals = await watchSignIn(ctx, tx, { memberId: member.id, sessionId: session.id, isFirst });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'session.started',
      actorId: member.id,
      subjectKind: 'session',
      subjectId: session.id,
    });
    return session.id;
  };
  // Read ahead for ending the sessions of one; the transaction decides.
  const hasRecovery = level > 1 && (await findOpenRecovery(services.db, member.id)) !== undefined;
  const sessionId =
    proof.provesAddress || isNewlyListed(member) || hasRecovery
      ? await changeAccess(services.db, { members: [member.id] }, (tx) => start(tx, tx))
      : await services.db.transaction((tx) => start(tx));
  if (sessionId === undefined) throw new AppError('invalid_credentials');
  services.wakeups.wake('mail');
  services.log.security({
    event: 'login.ok',
    requestId: call.requestId,
    address: call.address,
    actorId: member.id,
    memberId: member.id,
    accountId: accountId ?? undefined,
    partnerId: proof.partnerId,
  });
  if (signals.hasManyNetworks) {
    const { requestId, address } = call;
    services.log.security({ event: 'login.many-networks', requestId, address, memberId: member.id });
  }
  return {
    kind,
    token: sealed.token,
    expiresAtMs: sealed.expiresAtMs,
    userId: member.id,
    role: member.roleType,
    accountId,
    isPersonnel: member.isPersonnel,
    level,
    methods,
    isEnrolment: proof.recoveryId !== undefined,
  };
}

/** A member who signs in with a second factor has not lost it. A recovery opened a moment ago has no session to end. */
async function cancelRecovery(
  ctx: Context,
  { tx, accessTx }: { tx: Database; accessTx: AccessTransaction | undefined },
  memberId: number,
): Promise<void> {
  const recovery = await findOpenRecovery(tx, memberId);
  if (recovery === undefined) return;
  const end = { outcome: 'signedIn', endedById: null } as const;
  await (accessTx ? abandonRecovery(accessTx, ctx, recovery, end) : closeRecovery(tx, ctx, recovery, end));
}

/**
 * Signs in a member who has just registered with a password. The row is read after the commit: if the password differs by
 * then, the member was taken over, and the person who registered gets no session.
 * @throws {AppError} `invalid_credentials`, and as `finishSignIn`
 */
export async function signInNewcomer(
  ctx: Context,
  { memberId, passwordHash }: { memberId: number; passwordHash: string },
): Promise<OpenedSession> {
  const member = await findCredentialById(ctx.services.db, memberId);
  if (!member) throw new AppError('internal', { detail: 'a member just made is not there' });
  if (member.password !== passwordHash) throw new AppError('invalid_credentials');
  return finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'] });
}
