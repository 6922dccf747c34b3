import { staffAccountProcedure } from '../../../core/guard/procedures.js';
import { createInvitation } from '../create-invitation.js';

/** Invites an address to the selected account, by the same rules as for its members. */
export const create = staffAccountProcedure('member.manage')
  .meta({ about: createInvitation.about })
  .input(createInvitation.input)
  .output(createInvitation.output)
  .mutation(({ ctx, input }) => createInvitation.run(ctx, input));
