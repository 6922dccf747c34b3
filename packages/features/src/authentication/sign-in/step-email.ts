import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { askedFrom } from '../../core/app/asked-from.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { limitMailRequests } from '../../mail/limit-mail-requests.js';
import { queueCode } from '../second-factor/mailed-codes.js';
import { challengeSchema, openChallenge } from './open-challenge.js';

/** Mails the code of a second step, where a mail may be it. */
export const stepEmail = publicProcedure
  .meta({
    about: {
      summary: 'Get the code of the second step by mail',
      refuses: ['invalid_challenge', 'permission_denied', 'rate_limited'],
    },
  })
  .input(z.object({ challenge: challengeSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { challenge, member, steps } = await openChallenge(ctx, input.challenge);
    if (!steps.methods.includes('email') || member.email === null) throw new AppError('permission_denied');
    const { services } = ctx;
    await limitMailRequests(ctx);
    const request = {
      memberId: member.id,
      boundKey: challenge.challengeKey,
      to: member.email,
      askedFrom: await askedFrom(ctx, member.id),
    };
    await services.db.transaction((tx) => queueCode(tx, services, request));
    services.wakeups.wake('mail');
    return { message: 'A mail with a code is on its way' };
  });
