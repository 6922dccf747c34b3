import { AppError } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { isProven } from '@gatehouse/db/queries/member-columns';
import type { InvitationRow } from '@gatehouse/db/queries/read-invitations';
import { listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { isOwnerRole, mayOffer, offeredRole } from '../../core/authority/given-role.js';
import { accountProcedure } from '../../core/guard/procedure.js';
import { invitationCreation } from '../create-invitation.js';
import { staysInviter } from '../invitation-state.js';
import { invitationView } from '../invitation-view.js';
import type { InviterContext } from '../inviter-rules.js';
import { invitationListing, pageInvitations } from '../list-invitations.js';
import { invitationResending } from '../resend-invitation.js';
import { invitationRevocation } from '../revoke-invitation.js';

/** What inviters do about an invitation. */
const INVITATION_ACTIONS = ['resend', 'revoke'] as const;

type InvitationAction = (typeof INVITATION_ACTIONS)[number];

/**
 * Lists, for each unanswered invitation of an account, the actions that the service would not refuse the caller now. An action
 * may still meet a limit, or require a proof of identity.
 */
async function invitationActionsIn(
  { services, caller }: InviterContext,
  account: AccountState,
): Promise<(row: InvitationRow) => Promise<InvitationAction[]>> {
  const { access, roles } = services;
  const profile = await access.profile(caller.member);
  const isConfirmed = typeof profile?.emailConfirmedAtMs === 'number';
  const isOwnProven = profile !== undefined && isProven(profile);
  return async (row) => {
    if (row.status !== 'open') return [];
    const offered = offeredRole(roles, account, row);
    if (offered === undefined) return ['revoke'];
    if (!mayOffer(roles, caller.member, account, offered)) return [];
    const mayBecomeInviter = isOwnerRole(roles, offered.roleType) ? isOwnProven : isConfirmed;
    const mayResend = mayBecomeInviter || (await staysInviter(services, row, offered));
    return mayResend ? ['resend', 'revoke'] : ['revoke'];
  };
}

const managedInvitationView = invitationView
  .extend({
    /** The actions on the invitation that the service would not refuse the caller now. */
    actions: z.array(z.enum(INVITATION_ACTIONS)),
  })
  .meta({ id: 'ManagedInvitation' });

/** The invitations of the selected account, as its members see them, and what the caller may do about them. */
const list = accountProcedure('member.manage', { staffOnly: true })
  .meta({ about: invitationListing.about })
  .input(invitationListing.input)
  .output(listView(managedInvitationView))
  .query(async ({ ctx, input }) => {
    const account = await ctx.services.access.account(ctx.account.id);
    if (account === undefined) throw new AppError('account_forbidden');
    const actionsOn = await invitationActionsIn(ctx, account);
    const { data, ...rest } = await pageInvitations(ctx, input, (row, view) => ({ row, view }));
    return {
      data: await Promise.all(
        data.map(async ({ row, view }) => ({ actions: await actionsOn(row), ...view })),
      ),
      ...rest,
    };
  });

/** Invites an address to the selected account, by the same rules as for its members. */
const create = accountProcedure('member.manage', { staffOnly: true })
  .meta({ about: invitationCreation.about })
  .input(invitationCreation.input)
  .output(invitationCreation.output)
  .mutation(({ ctx, input }) => invitationCreation.run(ctx, input));

/** Mails an invitation of the selected account again, by the same rules as for its members. */
const resend = accountProcedure('member.manage', { staffOnly: true })
  .meta({ about: invitationResending.about })
  .input(invitationResending.input)
  .output(invitationResending.output)
  .mutation(({ ctx, input }) => invitationResending.run(ctx, input));

/** Revokes an invitation of the selected account, by the same rules as for its members. */
const revoke = accountProcedure('member.manage', { staffOnly: true })
  .meta({ about: invitationRevocation.about })
  .input(invitationRevocation.input)
  .output(invitationRevocation.output)
  .mutation(({ ctx, input }) => invitationRevocation.run(ctx, input));

/** The procedures of invitations for staff. */
export const invitationProcedures = { create, list, resend, revoke };
