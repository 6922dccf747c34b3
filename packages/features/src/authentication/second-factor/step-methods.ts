import { AppError, type StepMethod } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findAccountStates } from '@gatehouse/db/queries/find-account-state';
import type { MemberFactors } from '@gatehouse/db/queries/member-factors';
import { hasAnyConnection } from '@gatehouse/db/queries/read-connections';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { Context, Services } from '../../core/context.js';
import type { AuthenticationMethod } from '../../core/guard/authentication-methods.js';
import type { Caller } from '../../core/guard/caller.js';
import { hasOwnPasskey, requiredLevelOfMember } from '../../core/guard/level.js';

/**
 * The second steps that a sign-in may take. A mailed code is one only if there is neither passkey nor authenticator app, not for
 * staff, and not after a mail was the first factor.
 */
export function stepMethods(
  services: Pick<Services, 'relyingParty'>,
  factors: MemberFactors,
  proved: readonly AuthenticationMethod[],
): StepMethod[] {
  const hasPasskey = hasOwnPasskey(services, factors);
  const hasTotp = factors.totpConfirmedAtMs !== null;
  const hasStronger = hasTotp || hasPasskey;
  const mayMail = factors.emailStep && !hasStronger && mayStepByMail(factors) && !isByMail(proved);
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
    ...(mayMail ? (['email'] as const) : []),
    ...(factors.backupCodesLeft > 0 ? (['backupCode'] as const) : []),
  ];
}

/** Whether the first factor was a mail. */
export function isByMail(proved: readonly AuthenticationMethod[]): boolean {
  return proved.includes('otp-mail') || proved.includes('email');
}

/** Whether a mailed code may be the second step of a member: they have a confirmed address and are not staff. */
export function mayStepByMail({ isPersonnel, email, emailConfirmedAtMs }: MemberFactors): boolean {
  return !isPersonnel && email !== null && emailConfirmedAtMs !== null;
}

/** The factors of a locked member before a removal and after it. */
interface FactorRemoval {
  readonly memberId: number;
  readonly before: MemberFactors;
  readonly after: MemberFactors;
}

/**
 * Decides for every removal of a factor whether it is allowed. While sign-ins take a second step, the last way to take it stays;
 * and so does the last way to sign in.
 * @returns whether a factor is left for which backup codes are valid
 * @throws {AppError} `last_factor`
 */
export async function requireRemovable(
  tx: Database,
  services: Pick<Services, 'relyingParty'>,
  { memberId, before, after }: FactorRemoval,
): Promise<{ hasFactor: boolean }> {
  const had = factorsIn(services, before);
  const { hasStronger, hasStep } = factorsIn(services, after);
  if (before.secondFactor && had.hasStep && !hasStep) throw new AppError('last_factor');
  const losesPasskeys = hasOwnPasskey(services, before) && !hasOwnPasskey(services, after);
  if (losesPasskeys && !(await hasAnotherWayIn(tx, memberId))) throw new AppError('last_factor');
  return { hasFactor: hasStronger || (after.secondFactor && hasStep) };
}

/** The highest level that factors reach. */
function levelIn(services: Pick<Services, 'relyingParty'>, factors: MemberFactors): number {
  if (hasOwnPasskey(services, factors)) return 3;
  return factors.totpConfirmedAtMs === null ? 1 : 2;
}

/** The second steps of a member. */
export function factorsIn(
  services: Pick<Services, 'relyingParty'>,
  factors: MemberFactors,
): { readonly hasStronger: boolean; readonly hasStep: boolean } {
  const hasStronger = factors.totpConfirmedAtMs !== null || hasOwnPasskey(services, factors);
  return { hasStronger, hasStep: hasStronger || (factors.emailStep && mayStepByMail(factors)) };
}

/** Without an address, a password cannot be replaced; a known one still is a way in. */
async function hasAnotherWayIn(tx: Database, memberId: number): Promise<boolean> {
  const member = await findMember(tx, memberId);
  if (!member) throw new AppError('unauthorized');
  return member.email !== null || member.hasPassword || hasAnyConnection(tx, memberId);
}

/**
 * Requires that the factors a member keeps reach the level that a policy asks of them, unless the removed one did not
 * raise it.
 * @throws {AppError} `factor_required`
 */
export async function requireKeptLevel(
  { services }: Context,
  tx: Database,
  { member }: Caller,
  { before, after }: Pick<FactorRemoval, 'before' | 'after'>,
): Promise<void> {
  const kept = levelIn(services, after);
  if (kept === levelIn(services, before)) return;
  const reader = { knownAccounts: (ids: readonly number[]) => findAccountStates(tx, ids) };
  const asked = await requiredLevelOfMember(services, reader, member);
  if (asked !== undefined && kept < asked.level) throw new AppError('factor_required');
}
