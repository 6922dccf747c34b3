import { z } from 'zod';
import { isBoundByPolicy, levelAskedOf, verificationMethods } from '../app/freshness.js';
import { factorProcedure } from '../app/procedures.js';

/** The ways in which the caller can show again who they are. */
export const options = factorProcedure
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
  .query(async ({ ctx }) => {
    const { member } = ctx.caller;
    const isBound = await isBoundByPolicy(ctx, member);
    return { data: { level: levelAskedOf(member, isBound), methods: verificationMethods(member, isBound) } };
  });
