import { staffAccountProcedure } from '../../../core/guard/procedures.js';
import { revokeInvitation } from '../revoke-invitation.js';

/** Revokes an invitation of the selected account, by the same rules as for its members. */
export const revoke = staffAccountProcedure('member.manage')
  .meta({ about: revokeInvitation.about })
  .input(revokeInvitation.input)
  .output(revokeInvitation.output)
  .mutation(({ ctx, input }) => revokeInvitation.run(ctx, input));
