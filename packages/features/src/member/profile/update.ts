import { inPersonProcedure } from '../../core/guard/procedures.js';
import { changeProfile, profileInput, profileOutput } from './change-profile.js';

/** Changes the caller's names and the language of their mails; omitted fields stay as they are. */
export const update = inPersonProcedure
  .meta({
    about: {
      summary: "Change one's names, username and the language of one's mails",
      refuses: ['username_taken', 'rate_limited'],
    },
  })
  .input(profileInput)
  .output(profileOutput)
  .mutation(({ ctx, input }) => changeProfile(ctx, input));
