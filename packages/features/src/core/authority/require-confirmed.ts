import { AppError } from '@gatehouse/auth-core';
import { type Database, findMemberAddress, isProven } from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { isOwnerRole } from './given-role.js';

/**
 * Requires a confirmed address of a member who lets somebody in and, for a role that owns the account, a proven one.
 * @throws {AppError} `unconfirmed`
 */
export async function requireConfirmed(
  db: Database,
  { roles }: Pick<Services, 'roles'>,
  given: { readonly memberId: number; readonly roleType: number },
): Promise<void> {
  const address = await findMemberAddress(db, given.memberId);
  const isEnough = isOwnerRole(roles, given.roleType)
    ? address !== undefined && isProven(address)
    : address !== undefined && address.emailConfirmedAtMs !== null;
  if (!isEnough) throw new AppError('unconfirmed');
}
