import { staffAccountProcedure } from '../../app/procedures.js';
import { listInvitationsOf } from '../list-invitations.js';

/** The invitations of the selected account, as its members see them. */
export const list = staffAccountProcedure('member.manage')
  .meta({ about: listInvitationsOf.about })
  .input(listInvitationsOf.input)
  .output(listInvitationsOf.output)
  .query(({ ctx, input }) => listInvitationsOf.run(ctx, input));
