import { submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { backupCodeSchema, totpCodeSchema } from '../authentication/second-factor/factor-codes.js';
import { publicProcedure } from '../core/guard/procedures.js';
import { findConfirmation } from './find-confirmation.js';
import { settleConfirmation } from './settle-confirmation.js';

const input = z
  .object({
    token: z.string(),
    password: submittedPasswordSchema.optional(),
    code: totpCodeSchema.optional(),
    backupCode: backupCodeSchema.optional(),
  })
  .refine(
    ({ token: _token, ...proof }) => Object.values(proof).filter((sent) => sent !== undefined).length <= 1,
    { message: 'Send at most one of password, code and backupCode' },
  );

/**
 * Confirms the address of an activation link. A second use changes nothing and says so. With the password, a code of the
 * authenticator app, a backup code, or a session of the member, it also proves that the mailbox's owner is the member. The
 * next address of a member with a second factor takes such a proof.
 */
export const confirm = publicProcedure
  .input(input)
  .output(z.object({ message: z.string(), email: z.string(), alreadyConfirmed: z.boolean() }))
  .mutation(async ({ ctx, input: { token, ...proof } }) => {
    const { services, call } = ctx;
    const confirmation = await findConfirmation(services, token);
    const { email, memberId } = confirmation;
    const isNew = !confirmation.isConfirmed && (await settleConfirmation(ctx, confirmation, proof));
    if (!isNew) return { message: 'This address was confirmed before', email, alreadyConfirmed: true };
    services.log.security({
      event: 'address.confirmed',
      requestId: call.requestId,
      address: call.address,
      memberId,
    });
    return { message: 'The address is confirmed', email, alreadyConfirmed: false };
  });
