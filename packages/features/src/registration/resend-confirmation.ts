import { z } from 'zod';
import { changeDecided } from '../audit/change-decided.js';
import { memberProcedure } from '../core/guard/procedures.js';
import { confirmationAnswer, mailConfirmation } from './mail-confirmation.js';

/** Mails the activation link again, to the unconfirmed address of the caller. */
export const resendConfirmation = memberProcedure
  .output(z.object({ message: z.string(), alreadyConfirmed: z.boolean() }))
  .mutation(async ({ ctx }) => {
    const { memberId, session } = ctx.caller;
    const who = { memberId, sessionId: session.id };
    const mail = await changeDecided(ctx, {}, (tx) => mailConfirmation(tx, ctx.services, who));
    return confirmationAnswer(ctx.services, mail);
  });
