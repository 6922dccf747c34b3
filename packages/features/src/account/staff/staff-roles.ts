import { accountProcedure } from '../../core/guard/procedure.js';
import { roleRemoval, roleSaving } from '../manage-custom-roles.js';

/** Makes or changes a custom role of the selected account, by the same rules as for its owners. */
const save = accountProcedure('account.manage', { staffOnly: true })
  .meta({ about: roleSaving.about })
  .input(roleSaving.input)
  .output(roleSaving.output)
  .mutation(({ ctx, input }) => roleSaving.run(ctx, input));

/** Removes a custom role of the selected account, by the same rules as for its owners. */
const remove = accountProcedure('account.manage', { staffOnly: true })
  .meta({ about: roleRemoval.about })
  .input(roleRemoval.input)
  .output(roleRemoval.output)
  .mutation(({ ctx, input }) => roleRemoval.run(ctx, input));

/** The procedures of custom roles for staff. */
export const staffRoleProcedures = { remove, save };
