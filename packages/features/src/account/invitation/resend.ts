import { inPersonAccountProcedure } from '../../core/guard/procedures.js';
import { resendInvitation } from './resend-invitation.js';

/**
 * Mails a new link of an unanswered invitation, which replaces the earlier links. If the inviter may no
 * longer invite, the caller becomes the inviter.
 */
export const resend = inPersonAccountProcedure('member.manage')
  .meta({ about: resendInvitation.about })
  .input(resendInvitation.input)
  .output(resendInvitation.output)
  .mutation(({ ctx, input }) => resendInvitation.run(ctx, input));
