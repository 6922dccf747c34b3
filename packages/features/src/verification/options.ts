import { z } from 'zod';
import { levelAskedOf, verificationMethods } from '../app/freshness.js';
import { inPersonProcedure } from '../app/procedures.js';

/** The ways in which the caller can show again who they are. */
export const options = inPersonProcedure
  .meta({ about: { summary: 'See how to show again who is signed in' } })
  .output(
    z.object({
      data: z.object({
        /** The level that actions ask which are hard to undo. */
        level: z.int(),
        methods: z.array(z.string()),
      }),
    }),
  )
  .query(({ ctx }) => {
    const { member } = ctx.caller;
    return { data: { level: levelAskedOf(member), methods: verificationMethods(member) } };
  });
