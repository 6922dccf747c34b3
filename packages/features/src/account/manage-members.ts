import { AppError, mayChange } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { type AccountState, findAccountState } from '@gatehouse/db/queries/find-account-state';
import { type LockedMember, lockMember } from '@gatehouse/db/queries/lock-rows';
import { findMembership, removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { findReturningPlace, removeReturningPlace } from '@gatehouse/db/queries/returning-places';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../audit/change.js';
import { consentWithdrawal } from '../audit/consent-withdrawal.js';
import { mailProofIfUnconfirmed } from '../authentication/sign-in-mail.js';
import { toCustomRole } from '../core/access/access-reader.js';
import { actingRoleIn } from '../core/authority/authority-over.js';
import {
  givenRole,
  isOwnerRole,
  requireConfirmed,
  requireWithinCeiling,
  roleChoice,
} from '../core/authority/given-role.js';
import type { ReachedAccount } from '../core/guard/account-access.js';
import type { Caller } from '../core/guard/caller.js';
import { requireFresh } from '../core/guard/freshness.js';
import type { Guarded } from '../core/guard/guarded.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { mailName } from '../mail/mail-name.js';
import { tellMember } from '../mail/queue-mail.js';
import { revokeInvitationsTo } from './revoke-invitations-to.js';
import { requireNotPrimaryOwner } from './settle-accounts.js';

/** A call by a member who manages the members of an account. */
type ManagerContext = Guarded<{ readonly caller: Caller; readonly account: ReachedAccount }>;

/** A membership, locked until the transaction ends. */
interface HeldPlace {
  readonly member: LockedMember;
  readonly account: AccountState;
  readonly roleType: number;
  readonly customRoleId: number | null;
  /** False for one that awaits an owner's approval. */
  readonly active: boolean;
  /** Whether the member is deleted and would come back with it. */
  readonly isReturning: boolean;
  readonly label: string;
  /** The caller's acting role. */
  readonly actingRole: number;
}

/**
 * Locks a membership in the account of the call, if the caller may change it. It may await an owner's approval. The rank is that
 * of the role in this account.
 * @param which with `orLeaving` also a membership that would come back with a member who deleted themselves
 * @throws {AppError} `not_found` for a person who is not in the account, `permission_denied` for staff, and for a person who
 * outranks the caller
 */
async function lockPlace(
  { services: { roles }, caller, account: { id: accountId } }: ManagerContext,
  tx: AccessTransaction,
  { memberId, nowMs, orLeaving = false }: { memberId: number; nowMs: number; orLeaving?: boolean },
): Promise<HeldPlace> {
  const account = await findAccountState(tx, accountId);
  const member = await lockMember(tx, { memberId, nowMs, orLeaving });
  const isReturning = member?.isDeleted === true;
  const place = isReturning
    ? await findReturningPlace(tx, { memberId, accountId })
    : await findMembership(tx, { memberId, accountId });
  if (!account || !member || !place) throw new AppError('not_found');
  // Staff switched it off.
  if (!isReturning && !place.active && !place.awaitsOwner) throw new AppError('not_found');
  const actingRole = actingRoleIn(roles, caller.member, accountId);
  const row = account.customRoles.find(({ id }) => id === place.customRoleId);
  const custom = row && toCustomRole(row);
  const roleType = custom?.roleType ?? place.roleType;
  const isOutranked = !mayChange(roles, actingRole, roleType);
  if (member.isPersonnel || isOutranked) throw new AppError('permission_denied');
  const { customRoleId, active } = place;
  const label = custom?.name ?? roles.labelOf(roleType);
  return { member, account, roleType, customRoleId, active, isReturning, label, actingRole };
}

const placeView = z
  .object({
    /** The member's id. */
    id: z.int(),
    accountId: z.int(),
    roleType: z.int(),
    role: z.string(),
    customRoleId: z.int().nullable(),
    isPrimaryOwner: z.boolean(),
  })
  .meta({ id: 'PlaceInAccount' });

/**
 * Gives a member of the account another role there, or approves a member who came back. Callers may lower their own role. Making
 * somebody an owner needs a recent proof of identity.
 */
export const changeRole = accountProcedure('member.manage', { inPerson: true, programs: true })
  .meta({
    about: {
      summary: 'Change the role of a member',
      refuses: ['not_found', 'permission_denied', 'unconfirmed', 'verification_required', 'sole_owner'],
    },
  })
  .input(z.object({ memberId: z.int().positive(), ...roleChoice }))
  .output(z.object({ message: z.string(), data: placeView }))
  .mutation(async ({ ctx, input: { memberId, ...choice } }) => {
    const { services } = ctx;
    const { roles } = services;
    const accountId = ctx.account.id;
    const data = await mailProofIfUnconfirmed(ctx, ctx.caller, () =>
      changeAndRecord(
        ctx,
        { announce: { members: [memberId] }, lock: { accounts: [accountId] } },
        async ({ tx, nowMs, ...authorized }) => {
          const place = await lockPlace(authorized, tx, { memberId, nowMs });
          const { account, actingRole } = place;
          const given = givenRole(roles, account, choice);
          const { permissions } = authorized.account;
          requireWithinCeiling(roles, { role: actingRole, permissions }, given);
          if (isOwnerRole(roles, given.roleType)) {
            const { memberId: giverId } = authorized.caller;
            await requireConfirmed(tx, services, { memberId: giverId, roleType: given.roleType });
            await requireFresh(authorized, authorized.caller);
          } else await requireNotPrimaryOwner(tx, memberId, [accountId]);
          const { roleType, customRoleId, label } = given;
          const changed = changedFields({ ...place }, { roleType, customRoleId, active: true });
          if (changed) {
            const isSomeoneElse = memberId !== authorized.caller.memberId;
            const granter = isSomeoneElse ? { grantedById: authorized.caller.memberId } : {};
            await setMembership(tx, { memberId, accountId, roleType, customRoleId, ...granter, nowMs });
            if (isSomeoneElse) {
              const role = customRoleId === null ? label : mailName(label);
              const data = { accountName: mailName(account.name), role, atMs: nowMs };
              await tellMember(tx, services, { kind: 'roleChanged', memberId, data });
            }
          }
          const isPrimaryOwner = account.ownerId === memberId;
          return {
            result: { id: memberId, accountId, roleType, role: label, customRoleId, isPrimaryOwner },
            record: changed && {
              action: 'membership.changed',
              accountId,
              onBehalfOfId: memberId,
              subjectKind: 'membership',
              subjectId: `${accountId}/${memberId}`,
              ...changed,
            },
          };
        },
      ),
    );
    services.wakeups.wake('mail');
    return { message: 'The role has been changed', data };
  });

/**
 * Removes a member from the account: from their next request on they have no access to it. A member who deleted themselves does
 * not come back to it.
 */
export const removeFromAccount = accountProcedure('member.manage', { inPerson: true, programs: true })
  .meta({
    about: {
      summary: 'Remove a member from the account',
      refuses: ['not_found', 'permission_denied', 'sole_owner'],
    },
  })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId } }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    await changeAndRecord(
      ctx,
      { announce: { members: [memberId] }, lock: { accounts: [accountId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const place = await lockPlace(authorized, tx, { memberId, nowMs, orLeaving: true });
        const { account, roleType, customRoleId, isReturning } = place;
        const active = place.active && !isReturning;
        await requireNotPrimaryOwner(tx, memberId, [accountId]);
        const remove = isReturning ? removeReturningPlace : removeMembership;
        const ended = await remove(tx, { memberId, accountId, nowMs });
        const endedById = authorized.caller.memberId;
        const invitations = await revokeInvitationsTo(tx, { accountId, memberId, endedById, nowMs });
        if (memberId !== endedById) {
          const data = { accountName: mailName(account.name), atMs: nowMs };
          await tellMember(tx, services, { kind: 'removedFromAccount', memberId, data });
        }
        return {
          result: undefined,
          record: {
            action: 'membership.removed',
            accountId,
            onBehalfOfId: memberId,
            subjectKind: 'membership',
            subjectId: `${accountId}/${memberId}`,
            before: { roleType, customRoleId, ...(!active && { active }) },
            after: null,
          },
          also: [...(ended ?? []).map((each) => consentWithdrawal(each, endedById)), ...invitations],
        };
      },
    );
    services.wakeups.wake('mail');
    return { message: 'The member was removed from the organization' };
  });

/** Leaves the account, in a session of any level. */
export const leaveAccount = accountProcedure('account.read', { inPerson: true, atAnyLevel: true })
  .meta({ about: { summary: 'Leave the account', refuses: ['not_found', 'sole_owner'] } })
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const accountId = ctx.account.id;
    const { memberId } = ctx.caller;
    const subjects = {
      atAnyLevel: true,
      announce: { members: [memberId] },
      lock: { accounts: [accountId] },
    } as const;
    await changeAndRecord(ctx, subjects, async ({ tx, nowMs }) => {
      const before = await findMembership(tx, { memberId, accountId });
      // Staff have access here without a membership.
      if (!before) throw new AppError('not_found');
      const { roleType, customRoleId, active } = before;
      await requireNotPrimaryOwner(tx, memberId, [accountId]);
      const ended = await removeMembership(tx, { memberId, accountId, nowMs });
      return {
        result: undefined,
        record: {
          action: 'membership.left',
          accountId,
          subjectKind: 'membership',
          subjectId: `${accountId}/${memberId}`,
          before: { roleType, customRoleId, active },
          after: null,
        },
        also: ended?.map((each) => consentWithdrawal(each, memberId)) ?? [],
      };
    });
    return { message: 'You left the organization' };
  });
