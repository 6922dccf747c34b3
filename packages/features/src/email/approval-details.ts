import { z } from 'zod';
import { maskAddress } from '../app/mask-address.js';
import { publicProcedure } from '../app/procedures.js';
import { findApproval } from './find-approval.js';

/** Shows the change of address that a link to the present mailbox is about, and changes nothing. */
export const approvalDetails = publicProcedure
  .meta({
    about: {
      summary: 'Tell what change of address the link to the present mailbox is about',
      refuses: ['invalid_token'],
    },
  })
  .input(z.strictObject({ token: z.string() }))
  .output(
    z.object({
      /** The addresses, the new one masked; null once the link was answered. */
      change: z.object({ email: z.string(), pendingEmail: z.string() }).nullable(),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { change } = await findApproval(ctx.services, input.token);
    if (change === undefined) return { change: null };
    return { change: { email: change.email, pendingEmail: maskAddress(change.pendingEmail) } };
  });
