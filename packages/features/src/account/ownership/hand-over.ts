import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  findAccountState,
  findMemberFactors,
  findMembership,
  isBanned,
  isProven,
  lockMember,
  setAccountOwner,
  setMembership,
  suspendReturningPlaces,
} from '@gatehouse/db';
import { isOwnerRole } from '../../core/authority/given-role.js';
import type { Services } from '../../core/context.js';
import { hasFactorsFor } from '../../core/guard/level.js';
import { mailName } from '../../mail/mail-name.js';
import { tellMember } from './tell-member.js';

/** Nobody but the new owner can prove their address, so no mail is sent in their name. */
const HEIR_UNPROVEN = {
  path: 'memberId',
  message: 'The new owner has not proven their address yet: signing in by mail once does',
};

/** What a change of ownership takes. */
export type OwnershipServices = Pick<
  Services,
  'cipher' | 'config' | 'limits' | 'now' | 'relyingParty' | 'roles'
>;

/**
 * Makes another member of an account its primary owner, with the role of an owner, and notifies both. The
 * caller's transaction has locked the account and both members.
 *
 * @throws {AppError} `not_found` for somebody outside the account, `permission_denied` for staff or if the
 * owner has changed meanwhile, `unconfirmed` for somebody who has not proven their address, `owner_lacks_factor` for
 * somebody without a factor of the level that the account asks for
 */
export async function handOver(
  tx: AccessTransaction,
  services: OwnershipServices,
  {
    account,
    from,
    to,
    isByStaff = false,
    nowMs,
  }: {
    account: { id: number; name: string };
    from: number;
    to: number;
    isByStaff?: boolean;
    nowMs: number;
  },
): Promise<void> {
  const { roles, config } = services;
  const accountId = account.id;
  const member = await lockMember(tx, { memberId: to, nowMs });
  const place = await findMembership(tx, { memberId: to, accountId });
  if (!member || isBanned(member, nowMs) || !place?.active || from === to) throw new AppError('not_found');
  if (member.isPersonnel) throw new AppError('permission_denied');
  const factors = await findMemberFactors(tx, to);
  if (!factors || !isProven(member)) throw new AppError('unconfirmed', { issues: [HEIR_UNPROVEN] });
  const state = await findAccountState(tx, accountId);
  if (!hasFactorsFor(services, factors, state)) throw new AppError('owner_lacks_factor');
  const isMoved = await setAccountOwner(tx, { accountId, ownerId: to, expectedOwnerId: from, nowMs });
  if (!isMoved) throw new AppError('permission_denied');
  if (!isOwnerRole(roles, place.roleType)) {
    const roleType = roles.id.owner;
    await setMembership(tx, { memberId: to, accountId, roleType, grantedById: from, nowMs });
  }
  // Deleted members who come back need the new owner's approval.
  await suspendReturningPlaces(tx, { accountId });
  const told = {
    accountName: mailName(account.name),
    ownerName: mailName(member.username),
    isByStaff,
    atMs: nowMs,
  };
  for (const memberId of [to, from]) {
    const data = { ...told, isNewOwner: memberId === to, link: config.APP_URL };
    await tellMember(tx, services, { kind: 'ownershipMoved', memberId, data });
  }
}
