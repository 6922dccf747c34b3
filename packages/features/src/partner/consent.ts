import { AppError } from '@gatehouse/auth-core';
import { setPartnerConsent } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../audit/make-change.js';
import { inPersonProcedure } from '../core/guard/procedures.js';

/**
 * Lets a partner's sign-on reach all accounts of the member, or withdraws that. Repeating it changes nothing.
 * It takes effect with the next request, in existing sessions too.
 */
export const consent = inPersonProcedure
  .input(z.object({ partnerId: z.int().positive(), consent: z.boolean().default(true) }))
  .output(z.object({ partnerId: z.int(), consented: z.boolean() }))
  .mutation(async ({ ctx, input: { partnerId, consent: consents } }) => {
    const memberId = ctx.caller.memberId;
    await makeChange(ctx, { members: [memberId] }, async (tx, nowMs) => {
      const isLinked = await setPartnerConsent(tx, { memberId, partnerId, consents, nowMs });
      if (!isLinked) throw new AppError('not_found');
      const after = { partnerId, consented: consents };
      const record = {
        action: 'partner.consent',
        subjectKind: 'member',
        subjectId: memberId,
        before: null,
        after,
      };
      return { result: undefined, record };
    });
    return { partnerId, consented: consents };
  });
