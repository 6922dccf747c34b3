import { inPersonAccountProcedure } from '../../core/guard/procedures.js';
import { revokeInvitation } from './revoke-invitation.js';

/** Revokes an unanswered invitation; its link says so afterwards. Repeating it changes nothing. */
export const revoke = inPersonAccountProcedure('member.manage')
  .meta({ about: revokeInvitation.about })
  .input(revokeInvitation.input)
  .output(revokeInvitation.output)
  .mutation(({ ctx, input }) => revokeInvitation.run(ctx, input));
