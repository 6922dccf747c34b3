import { AppError } from '@gatehouse/auth-core';
import { findLimitEnd, findMemberAddress } from '@gatehouse/db';
import { z } from 'zod';
import { awaitedEnds } from '../app/member-view.js';
import { memberProcedure } from '../app/procedures.js';
import { changeDecided } from '../audit/change-decided.js';
import { MAIL_KINDS } from '../mail/mail-kinds.js';
import { mailLimitKey } from '../mail/queue-mail.js';
import { queueActivation } from './queue-activation.js';

/** Mails the activation link again, to the unconfirmed address of the caller. */
export const resendConfirmation = memberProcedure
  .output(z.object({ message: z.string(), alreadyConfirmed: z.boolean() }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const { email, isQueued } = await changeDecided(ctx, {}, async (tx) => {
      const address = await findMemberAddress(tx, memberId);
      if (!address) throw new AppError('unauthorized');
      if (address.email === null && address.pendingEmail === null) throw new AppError('no_address');
      const isAwaited = awaitedEnds(address).includes('new');
      const present = address.emailConfirmedAtMs === null ? address.email : null;
      const unproven = isAwaited ? address.pendingEmail : present;
      if (unproven === null) return { email: null, isQueued: false };
      return {
        email: unproven,
        isQueued: await queueActivation(tx, services, {
          memberId,
          email: unproven,
          sessionId: address.email === null ? ctx.caller.session.id : undefined,
        }),
      };
    });
    if (email === null) return { message: 'Your address is confirmed', alreadyConfirmed: true };
    if (!isQueued) {
      const endMs = (await findLimitEnd(services.db, mailLimitKey('activation', email))) ?? services.now();
      throw new AppError('rate_limited', {
        retryAfterSeconds: Math.max(1, Math.ceil((endMs - services.now()) / 1000)),
        policy: { name: 'activation-mail', quota: MAIL_KINDS.activation.mostPerHour, windowSeconds: 3600 },
      });
    }
    services.wakeups.wake('mail');
    return { message: 'The mail is on its way', alreadyConfirmed: false };
  });
