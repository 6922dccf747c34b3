import { staffAccountProcedure } from '../../../core/guard/procedures.js';
import { resendInvitation } from '../resend-invitation.js';

/** Mails an invitation of the selected account again, by the same rules as for its members. */
export const resend = staffAccountProcedure('member.manage')
  .meta({ about: resendInvitation.about })
  .input(resendInvitation.input)
  .output(resendInvitation.output)
  .mutation(({ ctx, input }) => resendInvitation.run(ctx, input));
