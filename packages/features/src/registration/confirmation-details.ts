import { z } from 'zod';
import { publicProcedure } from '../app/procedures.js';
import { findConfirmation } from './find-confirmation.js';

/** Shows what an activation link would confirm, and changes nothing: the scanners of mail systems follow links. */
export const confirmationDetails = publicProcedure
  .input(z.object({ token: z.string() }))
  .output(z.object({ email: z.string(), username: z.string(), alreadyConfirmed: z.boolean() }))
  .query(async ({ ctx, input }) => {
    const { email, username, isConfirmed } = await findConfirmation(ctx.services, input.token);
    return { email, username, alreadyConfirmed: isConfirmed };
  });
