import { AppError } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { setAccountOwner } from '@gatehouse/db/queries/change-accounts';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import { lockMember } from '@gatehouse/db/queries/lock-rows';
import { isBanned, isProven } from '@gatehouse/db/queries/member-columns';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { suspendReturningPlaces } from '@gatehouse/db/queries/returning-places';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { isOwnerRole } from '../core/authority/given-role.js';
import type { Services } from '../core/context.js';
import { FRESH } from '../core/guard/freshness.js';
import { hasFactorsFor } from '../core/guard/level.js';
import { accountProcedure } from '../core/guard/procedure.js';
import type { EventDraft } from '../event/events-of-acts.js';
import { appLink, screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { tellMember } from '../mail/queue-mail.js';
import { ownAccountView, ownRole, toOwnAccountView } from './own-accounts.js';

/** Nobody but the new owner can prove their address, so no mail is sent in their name. */
const HEIR_UNPROVEN = {
  path: 'memberId',
  message:
    'The new owner has not confirmed their email address yet. Signing in with an email code confirms it',
};

/** The input of a change of ownership. */
type OwnershipServices = Pick<Services, 'cipher' | 'config' | 'limits' | 'now' | 'relyingParty' | 'roles'>;

/**
 * Makes another member of an account its primary owner, with the role of an owner, and notifies both. The
 * caller's transaction has locked the account and both members.
 *
 * @returns the event of the new role, for the audit line of the caller
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
): Promise<EventDraft[]> {
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
  const ownership = {
    accountName: mailName(account.name),
    ownerName: mailName(member.username),
    isByStaff,
    atMs: nowMs,
  };
  for (const memberId of [to, from]) {
    const isNewOwner = memberId === to;
    // Owners who did not do this set a new password.
    const link = isNewOwner || isByStaff ? screenLink(config, '') : appLink(config, 'forgot');
    const data = { ...ownership, isNewOwner, link };
    await tellMember(tx, services, { kind: 'ownershipMoved', memberId, data });
  }
  if (isOwnerRole(roles, place.roleType)) return [];
  const { roleType: previousRoleType } = place;
  return [{ type: 'membership.roleChanged', memberId: to, accountId, previousRoleType, source: 'owner' }];
}

/**
 * Makes another member the account's primary owner, with the role of an owner. The previous one keeps their
 * role.
 */
export const transferOwnership = accountProcedure('account.manage', {
  inPerson: true,
  fresh: FRESH,
  primaryOwner: true,
})
  .meta({
    about: { summary: 'Hand the account over', refuses: ['not_found', 'unconfirmed', 'owner_lacks_factor'] },
  })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    const before = ctx.caller.memberId;
    const newOwner = input.memberId;
    const subjects = { announce: { members: [...new Set([newOwner, before])], accounts: [accountId] } };
    const data = await changeAndRecord(ctx, subjects, async ({ tx, nowMs, caller }) => {
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('account_forbidden');
      const role = ownRole(services.roles, caller.member, accountId);
      if (newOwner === before) {
        return { result: toOwnAccountView(account, before, role), record: undefined };
      }
      const events = await handOver(tx, services, { account, from: before, to: newOwner, nowMs });
      return {
        result: toOwnAccountView({ ...account, ownerId: newOwner }, before, role),
        record: {
          action: 'account.ownership-moved',
          accountId,
          onBehalfOfId: newOwner,
          subjectKind: 'account',
          subjectId: accountId,
          before: { ownerId: before },
          after: { ownerId: newOwner },
          events,
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'Ownership has been transferred', data };
  });
