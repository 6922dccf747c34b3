import { AppError, emailKey, loginNameSchema } from '@gatehouse/auth-core';
import { findPartnerMember, listPartnerAccountIds, notePartnerUse } from '@gatehouse/db';
import { partnerProcedure } from '@gatehouse/features/app/procedures';
import { changeDecided } from '@gatehouse/features/audit/change-decided';
import { takeLimitPoint } from '@gatehouse/runtime/limits/take-limit-point';
import { z } from 'zod';
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
    const { kit, partner } = ctx;
    await takeLimitPoint(kit, callLimit(ctx, partner.id));
    const emailOf = email === undefined ? undefined : emailKey(email);
    // Before the transaction, in which the partner is held for reading by all of its calls at once.
    await notePartnerUse(kit.db, { partnerId: partner.id, nowMs: kit.now() });
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
