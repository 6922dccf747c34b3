import { AppError, emailKey, emailSchema } from '@gatehouse/auth-core';
import { findOpenInvitation, insertInvitation, isAddressOfAccount } from '@gatehouse/db';
import { z } from 'zod';
import { createLockedReader } from '../access/create-locked-reader.js';
import { inPersonAccountProcedure } from '../app/procedures.js';
import { makeChange } from '../audit/make-change.js';
import { days } from './invitation-input.js';
import { invitationRecord } from './invitation-record.js';
import { invitationView } from './invitation-view.js';
import { requireConfirmed } from './require-confirmed.js';
import { requireFreshFor } from './require-fresh-for.js';
import { requireInvitedRole } from './require-invited-role.js';
import { requireOfferable } from './require-offerable.js';
import { requireRoom } from './require-room.js';
import { sendInvitation } from './send-invitation.js';
import { shownInvitation } from './shown-invitation.js';
import { stateNow } from './state-now.js';

const input = z
  .object({
    email: emailSchema,
    roleType: z.int().optional(),
    /** A role of the account's own, instead of `roleType`. */
    customRoleId: z.int().positive().optional(),
    days,
  })
  .superRefine(({ roleType, customRoleId }, context) => {
    if ((roleType === undefined) !== (customRoleId === undefined)) return;
    context.addIssue({ code: 'custom', path: ['roleType'], message: 'Either roleType or customRoleId' });
  });

/**
 * Invites an address to the selected account, whether or not anybody is registered with it: nothing in the answer tells
 * that. An address that is invited already gets another link of the same invitation.
 */
export const create = inPersonAccountProcedure('member.manage')
  .meta({
    about: {
      summary: 'Invite somebody to an account',
      refuses: [
        'verification_required',
        'unconfirmed',
        'not_found',
        'already_member',
        'invitation_limit',
        'rate_limited',
      ],
    },
  })
  .input(input)
  .output(z.object({ message: z.string(), data: invitationView }))
  .mutation(async ({ ctx, input: { email, roleType = 0, customRoleId = null, days: daysValid } }) => {
    const { services } = ctx;
    const { roles } = services;
    const accountId = ctx.account.id;
    if (customRoleId === null) requireInvitedRole(roles, roleType);
    const data = await makeChange(ctx, { inTurn: [accountId] }, async (tx, nowMs, decided) => {
      const judge = { db: tx, roles, access: createLockedReader(tx), nowMs };
      const inviterId = decided.caller.memberId;
      const address = { accountId, emailKey: emailKey(email) };
      const { account, offered } = await requireOfferable(decided, tx, { roleType, customRoleId });
      requireFreshFor(decided, offered.roleType);
      await requireConfirmed(tx, inviterId);
      if (await isAddressOfAccount(tx, address)) throw new AppError('already_member');
      const present = await findOpenInvitation(tx, address);
      if (present) await requireOfferable(decided, tx, present);
      const isPending = present !== undefined && (await stateNow(judge, present)) === 'pending';
      if (!isPending) await requireRoom(judge, accountId);
      const offer = { inviterId, roleType: offered.roleType, customRoleId };
      const invitation = present ?? (await insertInvitation(tx, { ...address, ...offer, email, nowMs }));
      const mail = { ...offer, accountName: account.name, days: daysValid, nowMs };
      const sent = await sendInvitation(tx, services, invitation, mail);
      return {
        result: await shownInvitation(judge, sent.id),
        record: invitationRecord(present ? 'invitation.renewed' : 'invitation.created', present, sent),
      };
    });
    services.wakeups.wake('mail');
    return { message: 'The invitation is on its way', data };
  });
