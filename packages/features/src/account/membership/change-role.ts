import { setMembership } from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../../audit/changed-fields.js';
import { makeChange } from '../../audit/make-change.js';
import { mailProofIfUnconfirmed } from '../../authentication/sign-in-mail.js';
import {
  givenRole,
  isOwnerRole,
  requireConfirmed,
  requireWithinCeiling,
  roleChoice,
} from '../../core/authority/given-role.js';
import { requireFresh } from '../../core/guard/freshness.js';
import { inPersonAccountProcedure } from '../../core/guard/procedures.js';
import { mailName } from '../../mail/mail-name.js';
import { requireNotPrimaryOwner } from '../ownership/require-not-primary-owner.js';
import { tellMember } from '../ownership/tell-member.js';
import { lockPlace } from './place-in-account.js';

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
export const changeRole = inPersonAccountProcedure('member.manage')
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
      makeChange(ctx, { members: [memberId], among: [accountId] }, async (tx, nowMs, decided) => {
        const place = await lockPlace(decided, tx, { memberId, nowMs });
        const { account, actingRole } = place;
        const given = givenRole(roles, account, choice);
        const { permissions } = decided.account;
        requireWithinCeiling(roles, { role: actingRole, permissions }, given);
        if (isOwnerRole(roles, given.roleType)) {
          const { memberId: giverId } = decided.caller;
          await requireConfirmed(tx, services, { memberId: giverId, roleType: given.roleType });
          await requireFresh(decided, decided.caller);
        } else await requireNotPrimaryOwner(tx, memberId, [accountId]);
        const { roleType, customRoleId, label } = given;
        const changed = changedFields({ ...place }, { roleType, customRoleId, active: true });
        if (changed) {
          const isSomeoneElse = memberId !== decided.caller.memberId;
          const granter = isSomeoneElse ? { grantedById: decided.caller.memberId } : {};
          await setMembership(tx, { memberId, accountId, roleType, customRoleId, ...granter, nowMs });
          if (isSomeoneElse) {
            const role = customRoleId === null ? label : mailName(label);
            const told = { accountName: mailName(account.name), role, atMs: nowMs };
            await tellMember(tx, services, { kind: 'roleChanged', memberId, data: told });
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
      }),
    );
    services.wakeups.wake('mail');
    return { message: 'The member has this role', data };
  });
