import { accountProcedure } from '../../core/guard/procedures.js';
import { listInvitationsOf } from './list-invitations.js';

/** The invitations of the selected account, newest first: all of them, or those in the given `state`. */
export const list = accountProcedure('member.manage')
  .meta({ about: listInvitationsOf.about })
  .input(listInvitationsOf.input)
  .output(listInvitationsOf.output)
  .query(({ ctx, input }) => listInvitationsOf.run(ctx, input));
