import { AppError, loginNameSchema, vouchedAddress } from '@gatehouse/auth-core';
import { findPartnerMember, listPartnerAccountIds, recordPartnerUse } from '@gatehouse/db';
import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { z } from 'zod';
import { changeDecided } from '../audit/change-decided.js';
import { partnerProcedure } from '../core/guard/procedures.js';
import { callLimit } from './partner-limits.js';
import { sealLoginUrl } from './seal-login-url.js';

/** The most accounts that fit into a token of 8,192 characters, however long their numbers are. */
const MOST_ACCOUNT_IDS = 250;

const input = z
  .object({ email: loginNameSchema.optional(), userId: z.int().positive().optional() })
  .refine(({ email, userId }) => email !== undefined || userId !== undefined, {
    path: ['email'],
    message: 'An e-mail or a userId is needed',
  });

/**
 * Signs on a member linked to the partner. If both are given, `email` and `userId` must belong to one member.
 * Members without a link to the partner, and staff, are treated as unknown.
 */
export const singleSignOn = partnerProcedure
  .input(input)
  .output(z.object({ loginUrl: z.string() }))
  .mutation(async ({ ctx, input: { email, userId } }) => {
    const { services, partner } = ctx;
    await enforceLimit(services, callLimit(ctx, partner.id));
    // Called before the transaction, in which all calls of the partner share a lock on it.
    await recordPartnerUse(services.db, { partnerId: partner.id, nowMs: services.now() });
    const loginUrl = await changeDecided(ctx, {}, async (tx, nowMs) => {
      const emailKey = email === undefined ? undefined : vouchedAddress(email);
      const isAddress = email === undefined || emailKey !== undefined;
      const member = isAddress && (await findPartnerMember(tx, partner.id, { id: userId, emailKey, nowMs }));
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
