import { AppError } from '@gatehouse/auth-core';
import { listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffAccountProcedure } from '../../../core/guard/procedures.js';
import { invitationView } from '../invitation-view.js';
import { listInvitationsOf, pageInvitations } from '../list-invitations.js';
import { INVITATION_ACTIONS, invitationActionsIn } from './invitation-actions.js';

const managedInvitationView = invitationView
  .extend({
    /** What the service would not refuse the caller about the invitation now. */
    actions: z.array(z.enum(INVITATION_ACTIONS)),
  })
  .meta({ id: 'ManagedInvitation' });

/** The invitations of the selected account, as its members see them, and what the caller may do about them. */
export const list = staffAccountProcedure('member.manage')
  .meta({ about: listInvitationsOf.about })
  .input(listInvitationsOf.input)
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
