import { AppError } from '@gatehouse/auth-core';
import { findMemberAddress } from '@gatehouse/db';
import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { inPersonProcedure } from '../../core/guard/procedures.js';
import { awaitedEnds } from '../../core/member-view.js';
import { mailConfirmation } from '../mail-confirmation.js';
import { queueApproval } from './queue-approval.js';

const ROUNDS_PER_HOUR = 3;
const HOUR_MS = 3_600_000;

/** Mails the links of a pending change of address again, to the mailboxes that have not agreed yet. Whoever has agreed need not again. */
export const resend = inPersonProcedure
  .meta({
    about: {
      summary: 'Send the mails of a change of address again',
      refuses: ['not_found', 'rate_limited'],
    },
  })
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId, session } = ctx.caller;
    const key = `email-resend:${memberId}`;
    await enforceLimit(services, { key, name: 'email-resend', most: ROUNDS_PER_HOUR, windowMs: HOUR_MS });
    await changeDecided(ctx, {}, async (tx) => {
      const address = await findMemberAddress(tx, memberId);
      const awaited = address === undefined ? [] : awaitedEnds(address);
      if (address === undefined || awaited.length === 0) throw new AppError('not_found');
      const { email, pendingSinceMs } = address;
      if (awaited.includes('new')) await mailConfirmation(tx, services, { memberId, sessionId: session.id });
      if (awaited.includes('old') && email !== null && pendingSinceMs !== null)
        await queueApproval(tx, services, { memberId, to: email, sinceMs: pendingSinceMs });
    });
    services.wakeups.wake('mail');
    return { message: 'The mails are on their way' };
  });
