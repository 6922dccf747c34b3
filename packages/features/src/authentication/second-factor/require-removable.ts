import { AppError } from '@gatehouse/auth-core';
import { type Database, findMember, hasAnyConnection, type MemberFactors } from '@gatehouse/db';
import { hasOwnPasskey } from '../../core/app/own-passkeys.js';
import type { Services } from '../../core/app/services.js';
import { mayStepByMail } from '../login/step-methods.js';

/** The factors of a locked member before a removal and after it. */
export interface FactorRemoval {
  readonly memberId: number;
  readonly before: MemberFactors;
  readonly after: MemberFactors;
}

/**
 * Decides for every removal of a factor whether it may be. While sign-ins take a second step, the last way to take it
 * stays; and so does the last way to sign in.
 * @returns whether a factor is left, for which backup codes count
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
export function levelIn(services: Pick<Services, 'relyingParty'>, factors: MemberFactors): number {
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
