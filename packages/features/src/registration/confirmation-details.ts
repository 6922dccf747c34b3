import { z } from 'zod';
import { publicProcedure } from '../app/procedures.js';
import { findConfirmation } from './find-confirmation.js';

/** Shows the address of an activation link and changes nothing, because mail scanners follow links. */
export const confirmationDetails = publicProcedure
  .input(z.object({ token: z.string() }))
  .output(z.object({ email: z.string(), username: z.string(), alreadyConfirmed: z.boolean() }))
  .query(async ({ ctx, input }) => {
    const { email, username, isConfirmed } = await findConfirmation(ctx.services, input.token);
    return { email, username, alreadyConfirmed: isConfirmed };
  });
