import {
  AppError,
  loginNameSchema,
  randomId,
  sha256Hex,
  TOKEN_LIVES_SECONDS,
  timingSafeEqualText,
} from '@gatehouse/auth-core';
import {
  findPartnerCredential,
  notePartnerUse,
  type PartnerCredential,
  setPartnerSecret,
} from '@gatehouse/db';
import type { Context } from '@gatehouse/features/app/context';
import { countAttempt } from '@gatehouse/features/app/count-attempt';
import { partnerNameIn } from '@gatehouse/features/app/partner-name-in';
import { publicProcedure } from '@gatehouse/features/app/procedures';
import { partnerSecretContext } from '@gatehouse/features/partner/partner-secret-context';
import { takeLimitPoint } from '@gatehouse/runtime/limits/take-limit-point';
import { z } from 'zod';
import { authenticationLimits, callLimit } from './partner-limits.js';

const input = z.object({
  /** The partner's name, or its number. */
  partnerId: z.union([z.int().positive(), loginNameSchema]),
  secretKey: z.string().min(1).max(1000),
});

/**
 * Gives a partner the token it calls with. Unknown, deactivated and wrong are one answer and cost the same. Only what
 * fails is counted against the address; what succeeds, against the partner.
 */
export const authenticate = publicProcedure
  .input(input)
  .output(z.object({ token: z.string(), expiresIn: z.int() }))
  .mutation(async ({ ctx, input: { partnerId, secretKey } }) => {
    const { kit } = ctx;
    const attempt = await countAttempt(ctx, authenticationLimits(ctx, partnerId));
    const partner = await findPartnerCredential(kit.db, partnerNameIn(partnerId) ?? { id: 0 }, kit.now());
    const secret = matchingSecret(ctx, partner, secretKey);
    if (!partner?.isActive || !secret) throw refused(ctx, partner);
    await attempt.takeBack();
    await takeLimitPoint(kit, callLimit(ctx, partner.id));
    const token = await issueToken(ctx, partner, secret);
    return { token, expiresIn: TOKEN_LIVES_SECONDS.partner };
  });

interface MatchingSecret {
  readonly id: number;
  /** The secret sealed again, where that was done with a key that is being replaced. */
  readonly resealed: string | undefined;
}

/** Compares with every live secret, and for a partner that has none or is none with one that matches nothing. */
function matchingSecret(
  { kit }: Context,
  partner: PartnerCredential | undefined,
  secretKey: string,
): MatchingSecret | undefined {
  const { cipher } = kit;
  const context = partnerSecretContext(partner?.nameKey ?? '');
  const known = partner?.secrets ?? [];
  const candidates = known.length > 0 ? known : [{ id: 0, sealed: cipher.seal(randomId(), context) }];
  const matches = candidates.filter(({ sealed }) =>
    timingSafeEqualText(cipher.open(sealed, context), secretKey),
  );
  return matches
    .map(({ id, sealed }) => ({
      id,
      resealed: cipher.isCurrent(sealed) ? undefined : cipher.seal(secretKey, context),
    }))
    .at(-1);
}

/**
 * Makes the token and notes the use of partner and secret.
 * @throws {AppError} `invalid_credentials` when the partner was deactivated or the secret removed meanwhile
 */
async function issueToken(ctx: Context, partner: PartnerCredential, secret: MatchingSecret): Promise<string> {
  const { kit, call } = ctx;
  const nowMs = kit.now();
  const { token, expiresAtMs } = kit.tokens.sealPartner({
    partnerId: partner.name,
    partnerName: partner.name,
    secretId: secret.id,
  });
  await kit.db.transaction(async (tx) => {
    const digest = sha256Hex(token);
    // Everybody holds the partner before its secret.
    const isActive = await notePartnerUse(tx, {
      partnerId: partner.id,
      nowMs,
      token: { digest, expiresAtMs },
    });
    const use = { secretId: secret.id, lastUsedAtMs: nowMs };
    const isLive = await setPartnerSecret(tx, secret.resealed ? { ...use, sealed: secret.resealed } : use);
    if (!isLive || !isActive) throw new AppError('invalid_credentials');
  });
  kit.log.security({
    event: 'token.issued',
    requestId: call.requestId,
    address: call.address,
    partnerId: partner.id,
  });
  return token;
}

function refused({ kit, call }: Context, partner: PartnerCredential | undefined): AppError {
  kit.log.security({
    event: 'login.failed',
    requestId: call.requestId,
    address: call.address,
    partnerId: partner?.id,
    reason: 'invalid_credentials',
  });
  return new AppError('invalid_credentials');
}
