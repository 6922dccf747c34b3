import { submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { publicProcedure } from '../app/procedures.js';
import { findConfirmation } from './find-confirmation.js';
import { settleConfirmation } from './settle-confirmation.js';

/**
 * Confirms the address of an activation link. A second use changes nothing and says so. With the password, or
 * a session of the member, it also proves that the mailbox's owner registered the member.
 */
export const confirm = publicProcedure
  .input(z.object({ token: z.string(), password: submittedPasswordSchema.optional() }))
  .output(z.object({ message: z.string(), email: z.string(), alreadyConfirmed: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const confirmation = await findConfirmation(services, input.token);
    const { email, memberId } = confirmation;
    const isNew = !confirmation.isConfirmed && (await settleConfirmation(ctx, confirmation, input.password));
    if (!isNew) return { message: 'This address was confirmed before', email, alreadyConfirmed: true };
    services.log.security({
      event: 'address.confirmed',
      requestId: call.requestId,
      address: call.address,
      memberId,
    });
    return { message: 'The address is confirmed', email, alreadyConfirmed: false };
  });
