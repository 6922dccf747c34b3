import { z } from 'zod';
import { publicProcedure } from '../core/guard/procedures.js';
import { findConfirmation } from './find-confirmation.js';
import { takesProofToMove } from './takes-proof-to-move.js';

/** Shows the address of an activation link and changes nothing, because mail scanners follow links. */
export const confirmationDetails = publicProcedure
  .input(z.object({ token: z.string() }))
  .output(
    z.object({
      email: z.string(),
      username: z.string(),
      alreadyConfirmed: z.boolean(),
      /** Whether it is the next address of a member with a second factor, which a click alone does not confirm. */
      asksProof: z.boolean(),
    }),
  )
  .query(async ({ ctx: { services }, input }) => {
    const { memberId, email, username, isConfirmed, isPending } = await findConfirmation(
      services,
      input.token,
    );
    const asksProof = isPending && !isConfirmed && (await takesProofToMove(services.db, memberId));
    return { email, username, alreadyConfirmed: isConfirmed, asksProof };
  });
