import { memberProcedure, partnerNameIn, partnerSecretContext, takeLimitPoint } from '@gatehouse/api-kit';
import { AppError, loginNameSchema, sealPartnerSignIn } from '@gatehouse/auth-core';
import { findPartnerCredential } from '@gatehouse/db';
import { z } from 'zod';
import { signInLimit } from './partner-limits.js';
import { redirectWithin } from './redirect-within.js';
import { signedUserData } from './signed-user-data.js';

const MOST_EXTRA_BYTES = 2048;

const extraFields = z
  .record(z.string().max(100), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .refine((extra) => Buffer.byteLength(JSON.stringify(extra)) <= MOST_EXTRA_BYTES, {
    message: 'must be at most 2 kB',
  });

const input = z.object({
  /** The partner's name, or its number. */
  partner: z.union([z.int().positive(), loginNameSchema]),
  userData: extraFields.default({}),
  redirectUrl: z.string().max(2000).optional(),
});

/**
 * Takes the caller over to a partner: a URL there, with the caller's own profile, and apart from it what the caller
 * sent, signed for five minutes with the partner's secret; the older one while a rotation lasts, since the partner may not know the newer one yet. A session
 * that one partner began leads to no other partner.
 */
export const signIn = memberProcedure
  .input(input)
  .output(z.object({ redirectUrl: z.string() }))
  .mutation(async ({ ctx, input: { partner: partnerId, userData, redirectUrl } }) => {
    const { kit, call, caller } = ctx;
    await takeLimitPoint(kit, signInLimit(caller.memberId));
    const nowMs = kit.now();
    const partner = await findPartnerCredential(kit.db, partnerNameIn(partnerId) ?? { id: 0 }, nowMs);
    const [secret] = partner?.secrets ?? [];
    if (!partner?.isActive || !secret) throw new AppError('not_found');
    if ((caller.session.partnerId ?? partner.id) !== partner.id) throw new AppError('permission_denied');
    const target = redirectWithin(partner.appUrl, redirectUrl);
    const profile = await kit.access.profile(caller.member);
    if (!profile) throw new AppError('unauthorized');
    const secretKey = kit.cipher.open(secret.sealed, partnerSecretContext(partner.nameKey));
    const signIn = {
      partner: partner.name,
      userData: signedUserData(profile, userData),
      redirectUrl: redirectUrl ?? partner.appUrl,
    };
    target.searchParams.set('token', sealPartnerSignIn(secretKey, signIn, { nowMs }));
    kit.log.security({
      event: 'token.issued',
      requestId: call.requestId,
      address: call.address,
      memberId: caller.memberId,
      partnerId: partner.id,
    });
    return { redirectUrl: target.href };
  });
