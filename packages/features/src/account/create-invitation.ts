import { AppError, emailKey, emailSchema } from '@gatehouse/auth-core';
import { findOpenInvitation, insertInvitation, isAddressOfAccount } from '@gatehouse/db/queries/invitations';
import type { ProcedureAbout } from '@gatehouse/http/trpc/procedure-rule';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { mailProofIfUnconfirmed } from '../authentication/sign-in-mail.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import { givenRole, offeredRole, requireConfirmed, roleChoice } from '../core/authority/given-role.js';
import { isMachine } from '../core/guard/caller.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { stateNow } from './invitation-state.js';
import { invitationView, shownInvitation } from './invitation-view.js';
import {
  days,
  findOwnAccount,
  type InviterContext,
  invitationRecord,
  requireFreshFor,
  requireOfferable,
  requireRoom,
} from './inviter-rules.js';
import { sendInvitation } from './send-invitation.js';

const input = z.object({ email: emailSchema, ...roleChoice, days });

/**
 * Invites an address to the selected account. The answer is the same whether or not the address is
 * registered. An address that is already invited gets a new link of the same invitation.
 */
export const invitationCreation = {
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
  } satisfies ProcedureAbout,
  input,
  output: z.object({ message: z.string(), data: invitationView }),
  async run(ctx: InviterContext, invited: z.output<typeof input>) {
    const data = await mailProofIfUnconfirmed(ctx, ctx.caller, () => invite(ctx, invited));
    ctx.services.wakeups.wake('mail');
    return { message: 'The invitation has been sent', data };
  },
};

function invite(ctx: InviterContext, { email, days: daysValid, ...choice }: z.output<typeof input>) {
  const { services } = ctx;
  const { roles } = services;
  const accountId = ctx.account.id;
  return changeAndRecord(ctx, { lock: { accounts: [accountId] } }, async ({ tx, nowMs, ...authorized }) => {
    const authorize = { db: tx, roles, access: createLockedReader(tx, nowMs), nowMs };
    const inviterId = authorized.caller.memberId;
    const address = { accountId, emailKey: emailKey(email) };
    const account = await findOwnAccount(authorized, tx);
    const { roleType, customRoleId, permissions } = givenRole(roles, account, choice);
    requireOfferable(authorized, account, { roleType, permissions });
    await requireFreshFor(authorized, roleType);
    if (!isMachine(authorized.caller))
      await requireConfirmed(tx, services, { memberId: inviterId, roleType });
    if (await isAddressOfAccount(tx, address)) throw new AppError('already_member');
    const present = await findOpenInvitation(tx, address);
    const presentRole = present && offeredRole(roles, account, present);
    if (presentRole) requireOfferable(authorized, account, presentRole);
    const isPending = present !== undefined && (await stateNow(authorize, present)) === 'pending';
    if (!isPending) await requireRoom(authorize, accountId);
    const offer = { inviterId, roleType, customRoleId };
    const invitation = present ?? (await insertInvitation(tx, { ...address, ...offer, email, nowMs }));
    const mail = { ...offer, accountName: account.name, days: daysValid, nowMs };
    const sent = await sendInvitation(tx, services, invitation, mail);
    return {
      result: await shownInvitation(authorize, sent.id, authorized.caller.member),
      record: invitationRecord(present ? 'invitation.renewed' : 'invitation.created', present, sent),
    };
  });
}

/**
 * Invites an address to the selected account. The answer is the same whether or not the address is
 * registered. An address that is already invited gets a new link of the same invitation.
 */
export const createInvitation = accountProcedure('member.manage', { inPerson: true, programs: true })
  .meta({ about: invitationCreation.about })
  .input(invitationCreation.input)
  .output(invitationCreation.output)
  .mutation(({ ctx, input }) => invitationCreation.run(ctx, input));
