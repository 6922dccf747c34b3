import { AppError } from '@gatehouse/auth-core';
import { type Database, findMemberAddress, isProven } from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { isOwnerRole } from '../authority/given-role.js';

/**
 * Requires a confirmed address of an inviter and, for a role that owns the account, a proven one.
 * @throws {AppError} `unconfirmed`
 */
export async function requireConfirmed(
  db: Database,
  { roles }: Pick<Services, 'roles'>,
  inviter: { readonly memberId: number; readonly roleType: number },
): Promise<void> {
  const address = await findMemberAddress(db, inviter.memberId);
  const isEnough = isOwnerRole(roles, inviter.roleType)
    ? address !== undefined && isProven(address)
    : address !== undefined && address.emailConfirmedAtMs !== null;
  if (!isEnough) throw new AppError('unconfirmed');
}
