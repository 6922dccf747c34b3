import { AppError, emailKey, loginNameSchema } from '@gatehouse/auth-core';
import { findPartnerMember, listPartnerAccountIds, recordPartnerUse } from '@gatehouse/db';
import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { z } from 'zod';
import { partnerProcedure } from '../app/procedures.js';
import { changeDecided } from '../audit/change-decided.js';
import { callLimit } from './partner-limits.js';
import { sealLoginUrl } from './seal-login-url.js';

/** As many as a token of 8,192 characters holds, whatever their numbers. */
const MOST_ACCOUNT_IDS = 250;

const input = z
  .object({ email: loginNameSchema.optional(), userId: z.int().positive().optional() })
  .refine(({ email, userId }) => email !== undefined || userId !== undefined, {
    path: ['email'],
    message: 'An e-mail or a userId is needed',
  });

/**
 * Signs a member on who is linked to the partner; where both are given, `email` and `userId` are one member's. Whoever
 * is somebody else's, came by themselves or is staff is as unknown as nobody.
 */
export const singleSignOn = partnerProcedure
  .input(input)
  .output(z.object({ loginUrl: z.string() }))
  .mutation(async ({ ctx, input: { email, userId } }) => {
    const { services, partner } = ctx;
    await enforceLimit(services, callLimit(ctx, partner.id));
    const emailOf = email === undefined ? undefined : emailKey(email);
    // Before the transaction, in which the partner is held for reading by all of its calls at once.
    await recordPartnerUse(services.db, { partnerId: partner.id, nowMs: services.now() });
    const loginUrl = await changeDecided(ctx, {}, async (tx) => {
      const member = await findPartnerMember(tx, partner.id, { id: userId, emailKey: emailOf });
      if (!member) throw new AppError('not_found');
      const accountIds = await listPartnerAccountIds(tx, {
        memberId: member.id,
        partnerId: partner.id,
        all: member.consentedAtMs !== null,
        limit: MOST_ACCOUNT_IDS,
      });
      return sealLoginUrl(ctx, partner, { ...member, accountIds });
    });
    return { loginUrl };
  });
