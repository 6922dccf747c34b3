import { inPersonProcedure } from '../app/procedures.js';
import { changeProfile, profileInput, profileOutput } from './change-profile.js';

/** Changes what the caller is called, and the language of their mails; what is left out stays as it is. */
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
