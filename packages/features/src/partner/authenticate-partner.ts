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
  type PartnerCredential,
  setPartnerSecret,
} from '@gatehouse/db/queries/partner-secrets';
import { recordPartnerUse } from '@gatehouse/db/queries/partners';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { partnerNameIn } from '../core/guard/service-callers.js';
import { countAttempt } from '../core/rate-limit/count-attempt.js';
import { partnerSecretContext } from './rotate-partner-secret.js';

const MINUTE_MS = 60_000;
const ATTEMPT_WINDOW_MS = 15 * MINUTE_MS;

/**
 * Failed authentications from one address, and from one address for one partner. Nobody else can lock a partner
 * out.
 */
function authenticationLimits({ call }: Context, partnerId: string | number): readonly Limit[] {
  const from = `partner-auth:${networkOf(call.address)}`;
  return [
    { key: from, name: 'partner-address', most: 100, windowMs: ATTEMPT_WINDOW_MS },
    {
      key: `${from}:${sha256Hex(String(partnerId)).slice(0, 32)}`,
      name: 'partner',
      most: 30,
      windowMs: ATTEMPT_WINDOW_MS,
    },
  ];
}

/** The calls that one partner may make in a minute. */
export function callLimit({ services }: Context, partnerId: number): Limit {
  return {
    key: `partner-calls:${partnerId}`,
    most: services.config.PARTNER_CALLS_PER_MINUTE,
    windowMs: MINUTE_MS,
  };
}

/** How many members a partner may register per minute; each costs a password hash. */
export function registrationLimit({ services }: Context, partnerId: number): Limit {
  return {
    key: `partner-registrations:${partnerId}`,
    name: 'partner-registrations',
    most: services.config.PARTNER_REGISTRATIONS_PER_MINUTE,
    windowMs: MINUTE_MS,
  };
}

/** How often a member may sign in at a partner per minute. */
export function signInLimit(memberId: number): Limit {
  return { key: `partner-sign-in:${memberId}`, name: 'partner-sign-in', most: 60, windowMs: MINUTE_MS };
}

const input = z.object({
  /** The id that the replaced system gave the partner, its name, or its number. */
  partnerId: z.union([z.int().positive(), loginNameSchema]),
  secretKey: z.string().min(1).max(1000),
});

/**
 * Gives a partner its access token. For an unknown or deactivated partner and for a wrong secret, the answer
 * and the cost are the same. Failures count against the address, successes against the partner.
 */
export const authenticate = publicProcedure
  .input(input)
  .output(z.object({ token: z.string(), expiresIn: z.int() }))
  .mutation(async ({ ctx, input: { partnerId, secretKey } }) => {
    const { services } = ctx;
    const attempt = await countAttempt(ctx, authenticationLimits(ctx, partnerId));
    const partner = await findPartnerCredential(services.db, partnerNameIn(partnerId), services.now());
    const secret = matchingSecret(ctx, partner, secretKey);
    if (!partner?.isActive || !secret) throw refused(ctx, partner);
    await attempt.refund();
    await enforceLimit(services, callLimit(ctx, partner.id));
    const token = await issueToken(ctx, partner, secret);
    return { token, expiresIn: TOKEN_LIVES_SECONDS.partner };
  });

interface MatchingSecret {
  readonly id: number;
  /** The secret encrypted again, when its key is being replaced. */
  readonly resealed: string | undefined;
}

/**
 * Compares with every live secret. For an unknown partner, or one without secrets, compares with a value that
 * matches nothing.
 */
function matchingSecret(
  { services }: Context,
  partner: PartnerCredential | undefined,
  secretKey: string,
): MatchingSecret | undefined {
  const { cipher } = services;
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
 * Makes the token and records the use of partner and secret.
 * @throws {AppError} `invalid_credentials` when the partner was deactivated or the secret removed meanwhile
 */
async function issueToken(ctx: Context, partner: PartnerCredential, secret: MatchingSecret): Promise<string> {
  const { services, call } = ctx;
  const nowMs = services.now();
  const { token, expiresAtMs } = services.tokens.sealPartner({
    partnerId: partner.externalId ?? partner.name,
    partnerName: partner.name,
    secretId: secret.id,
  });
  await services.db.transaction(async (tx) => {
    const digest = sha256Hex(token);
    // All code locks the partner before its secret.
    const isActive = await recordPartnerUse(tx, {
      partnerId: partner.id,
      nowMs,
      token: { digest, expiresAtMs },
    });
    const use = { secretId: secret.id, lastUsedAtMs: nowMs };
    const isLive = await setPartnerSecret(tx, secret.resealed ? { ...use, sealed: secret.resealed } : use);
    if (!isLive || !isActive) throw new AppError('invalid_credentials', { sent: 'partnerSecret' });
  });
  services.log.security({
    event: 'token.issued',
    requestId: call.requestId,
    address: call.address,
    partnerId: partner.id,
  });
  return token;
}

function refused({ services, call }: Context, partner: PartnerCredential | undefined): AppError {
  services.log.security({
    event: 'login.failed',
    requestId: call.requestId,
    address: call.address,
    partnerId: partner?.id,
    reason: 'invalid_credentials',
  });
  return new AppError('invalid_credentials', { sent: 'partnerSecret' });
}
