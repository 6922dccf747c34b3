import { staffProcedure } from '../../../core/guard/procedures.js';
import { changeProfile, profileInput, profileOutput } from '../change-profile.js';

/** Changes the caller's names and the language of their mails; omitted fields stay as they are. */
export const update = staffProcedure()
  .input(profileInput)
  .output(profileOutput)
  .mutation(({ ctx, input }) => changeProfile(ctx, input));
