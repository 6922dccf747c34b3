import { AppError, type VerificationMethod } from '@gatehouse/auth-core';
import { PLATFORM } from '@gatehouse/db/queries/sso-connections';
import type { Freshness } from '@gatehouse/http/trpc/procedure-rule';
import type { AccessReader, MemberSnapshot } from '../access/access-reader.js';
import type { Context, Services } from '../context.js';
import type { Caller } from './caller.js';
import {
  factorLevelOf,
  hasOwnPasskey,
  methodsOfLevel,
  requiredLevelOfMember,
  VERIFIED_SECONDS,
} from './level.js';

/** Actions that are hard to undo require a sign-in, or another verification, within this time. */
export const FRESH: Freshness = { seconds: VERIFIED_SECONDS };

/**
 * The same, but only for callers who sign in in two steps or whom a policy binds. Procedures that a path of the replaced system
 * reaches use it, because that system's clients cannot verify anybody.
 */
export const FRESH_WITH_FACTOR: Freshness = { seconds: FRESH.seconds, onlyWithSecondFactor: true };

/**
 * The level of a verification of a member: 2 if their sign-ins take a second step or a policy requires more than a password.
 * Without a usable factor it is 1 for a first enrollment, and if that step is a mailed code; else only a backup code is left.
 */
export function verificationLevelOf(
  services: Pick<Services, 'relyingParty'>,
  member: MemberSnapshot,
  isBound: boolean,
): 1 | 2 {
  if (factorLevelOf(services, member) >= 2) return member.secondFactor || isBound ? 2 : 1;
  return member.secondFactor && !stepsByMail(services, member) ? 2 : 1;
}

/** Whether the second step of a member is a mailed code. */
function stepsByMail(services: Pick<Services, 'relyingParty'>, member: MemberSnapshot): boolean {
  const { secondFactor, emailStep, isPersonnel } = member;
  return secondFactor && emailStep && !isPersonnel && factorLevelOf(services, member) < 2;
}

/** The ways in which a member can verify that it is them. */
export function verificationMethods(
  services: Pick<Services, 'relyingParty'>,
  member: MemberSnapshot,
  isBound: boolean,
): VerificationMethod[] {
  if (verificationLevelOf(services, member, isBound) === 2) return methodsOfLevel(services, member, 2);
  if (member.secondFactor) return ['email', 'backupCode'];
  return hasOwnPasskey(services, member) ? ['passkey', 'password'] : ['password'];
}

/**
 * Refuses the password alone as a verification of members whose second step is a mailed code: it would verify a
 * person who has the session and the password, and not the mailbox.
 * @throws {AppError} `verification_required`, with the ways that are left
 */
export function requireMoreThanPassword(
  { services }: Pick<Context, 'services'>,
  { member }: Pick<Caller, 'member'>,
): void {
  if (stepsByMail(services, member)) throw refusalOf(services, member, false);
}

/** Whether a policy requires more than a password of a member, as staff or in one of their accounts. */
export async function isBoundByPolicy(
  { services }: Pick<Context, 'services'>,
  member: MemberSnapshot,
  access: AccessReader = services.access,
): Promise<boolean> {
  return (await requiredLevelOfMember(services, access, member)) !== undefined;
}

/**
 * Requires a recent verification of the caller. Guards use it (`fresh` in a rule). A procedure
 * calls it if only some inputs need it, such as giving an owner's role.
 * @throws {AppError} `verification_required`
 */
export async function requireFresh(
  ctx: Pick<Context, 'services'>,
  caller: Caller,
  access?: AccessReader,
): Promise<void> {
  requireVerified(ctx, caller, await isBoundByPolicy(ctx, caller.member, access));
}

/**
 * As `requireFresh`, for callers whose sign-ins take a second step or whom a policy binds, and for staff whom an identity
 * provider signed in: the provider's statement is not a proof of their own.
 * @throws {AppError} `verification_required`
 */
export async function requireFreshWithFactor(
  ctx: Pick<Context, 'services'>,
  caller: Caller,
  access?: AccessReader,
): Promise<void> {
  const isBound = await isBoundByPolicy(ctx, caller.member, access);
  const isByProvider = caller.session.sso?.accountId === PLATFORM;
  if (caller.member.secondFactor || isBound || isByProvider) requireVerified(ctx, caller, isBound);
}

/**
 * Requires that the caller signed in lately. Nothing else suffices.
 * @throws {AppError} `verification_required`
 */
export function requireRecentSignIn(
  { services }: Pick<Context, 'services'>,
  { session: { authTimeMs } }: Caller,
): void {
  if (isRecent(services, authTimeMs)) return;
  const maxAgeSeconds = FRESH.seconds;
  throw new AppError('verification_required', { verification: { level: 1, maxAgeSeconds, methods: [] } });
}

function isRecent({ now }: Pick<Services, 'now'>, atMs: number | null): boolean {
  return atMs !== null && now() < atMs + FRESH.seconds * 1000;
}

function requireVerified(
  { services }: Pick<Context, 'services'>,
  { member, session }: Caller,
  isBound: boolean,
): void {
  // A machine cannot be verified.
  if (session.keyId !== undefined || session.agent !== undefined) throw new AppError('permission_denied');
  const { verifiedAtMs, verifiedLevel } = session;
  if (isRecent(services, verifiedAtMs) && verifiedLevel >= verificationLevelOf(services, member, isBound))
    return;
  throw refusalOf(services, member, isBound);
}

function refusalOf(
  services: Pick<Services, 'relyingParty'>,
  member: MemberSnapshot,
  isBound: boolean,
): AppError {
  const level = verificationLevelOf(services, member, isBound);
  const methods = verificationMethods(services, member, isBound);
  return new AppError('verification_required', {
    verification: { level, maxAgeSeconds: FRESH.seconds, methods },
  });
}
