import { AppError } from '@gatehouse/auth-core';
import type { Freshness } from '@gatehouse/http/trpc/rule';
import type { MemberSnapshot } from '../access/member-snapshot.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** Actions that are hard to undo require a sign-in, or another verification, within this time. */
export const FRESH: Freshness = { seconds: 600 };

/** The same for callers whose sign-ins take a second step. Others need it not, as clients of before rely on. */
export const FRESH_WITH_FACTOR: Freshness = { seconds: FRESH.seconds, onlyWithSecondFactor: true };

/** The level that counts as a verification of a member: 2 where their sign-ins take an authenticator app. */
export function levelAskedOf({ secondFactor, hasTotp }: MemberSnapshot): 1 | 2 {
  return secondFactor && hasTotp ? 2 : 1;
}

/** The ways in which a member can verify that it is them. */
export function verificationMethods(member: MemberSnapshot): string[] {
  if (!member.secondFactor) return ['password'];
  return member.hasTotp ? ['totp', 'backupCode'] : ['password', 'email', 'backupCode'];
}

/**
 * Requires a recent verification of the caller. Guards use it (`freshProcedure` and others). A procedure
 * calls it if only some inputs need it, such as giving an owner's role.
 * @throws {AppError} `verification_required`
 */
export function requireFresh({ services }: Pick<Context, 'services'>, { member, session }: Caller): void {
  const { verifiedAtMs, verifiedLevel } = session;
  const level = levelAskedOf(member);
  const isRecent = verifiedAtMs !== null && services.now() < verifiedAtMs + FRESH.seconds * 1000;
  if (isRecent && verifiedLevel >= level) return;
  throw new AppError('verification_required', {
    verification: { level, maxAgeSeconds: FRESH.seconds, methods: verificationMethods(member) },
  });
}

/**
 * As `requireFresh`, for callers whose sign-ins take a second step.
 * @throws {AppError} `verification_required`
 */
export function requireFreshWithFactor(ctx: Pick<Context, 'services'>, caller: Caller): void {
  if (caller.member.secondFactor) requireFresh(ctx, caller);
}
