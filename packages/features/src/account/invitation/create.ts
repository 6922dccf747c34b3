import { inPersonAccountProcedure } from '../../core/guard/procedures.js';
import { createInvitation } from './create-invitation.js';

/**
 * Invites an address to the selected account. The answer is the same whether or not the address is
 * registered. An address that is already invited gets a new link of the same invitation.
 */
export const create = inPersonAccountProcedure('member.manage')
  .meta({ about: createInvitation.about })
  .input(createInvitation.input)
  .output(createInvitation.output)
  .mutation(({ ctx, input }) => createInvitation.run(ctx, input));
