import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { factorProcedure } from '../../core/app/procedures.js';
import { sessionKey } from '../../core/app/session-key.js';
import { limitMailRequests } from '../../mail/limit-mail-requests.js';
import { queueCode } from '../second-factor/mailed-codes.js';

/** Mails the caller a code for this session, to show again who they are or to add their first second factor. */
export const sendEmail = factorProcedure
  .meta({ about: { summary: 'Get a code by mail', refuses: ['no_address', 'rate_limited'] } })
  .input(z.object({}).optional())
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId, session, member } = ctx.caller;
    const profile = await services.access.profile(member);
    const to = profile?.email ?? null;
    if (to === null) throw new AppError('no_address');
    await limitMailRequests(ctx);
    const request = { memberId, boundKey: sessionKey(session), to, askedFrom: 'device' } as const;
    await changeDecided(ctx, {}, (tx) => queueCode(tx, services, request));
    services.wakeups.wake('mail');
    return { message: 'A mail with a code is on its way' };
  });
