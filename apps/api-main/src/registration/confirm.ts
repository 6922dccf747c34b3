import { publicProcedure } from '@gatehouse/api-kit';
import { z } from 'zod';
import { findConfirmation } from './find-confirmation.js';
import { settleConfirmation } from './settle-confirmation.js';

/** Confirms the address an activation link was sent to. A second use changes nothing and says so. */
export const confirm = publicProcedure
  .input(z.object({ token: z.string() }))
  .output(z.object({ message: z.string(), email: z.string(), alreadyConfirmed: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    const { kit, call } = ctx;
    const confirmation = await findConfirmation(kit, input.token);
    const { email, memberId } = confirmation;
    const isNew = !confirmation.isConfirmed && (await settleConfirmation(ctx, confirmation));
    if (!isNew) return { message: 'This address was confirmed before', email, alreadyConfirmed: true };
    kit.log.security({
      event: 'address.confirmed',
      requestId: call.requestId,
      address: call.address,
      memberId,
    });
    return { message: 'The address is confirmed', email, alreadyConfirmed: false };
  });
