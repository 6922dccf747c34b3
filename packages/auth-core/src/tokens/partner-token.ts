import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { type SealedToken, type SealOptions, signJwt, type TokenFacts, verifyJwt } from './jwt.js';
import type { TokenKeys } from './token-keys.js';
import { idClaim, TOKEN_LIVES_SECONDS, tokenKind } from './token-kinds.js';
import { TokenRefused } from './token-refused.js';

const AUDIENCE = 'partner-auth';

const partnerToken = tokenKind(
  'partner',
  z.object({
    partnerId: z.union([idClaim, z.string().min(1)]),
    partnerName: z.string(),
    /** The secret that obtained the token; the token ends with it. Absent in tokens of other systems. */
    secretId: idClaim.optional(),
  }),
);

export type OpenedPartnerToken = NonNullable<ReturnType<typeof partnerToken.read>> & TokenFacts;

export type PartnerTokenPayload = OpenedPartnerToken['payload'];

/**
 * Makes a partner JWT: valid for 3,600 seconds, for the audience `partner-auth`, with readable claims.
 * @throws RangeError for a payload that could not be opened again, and as `signJwt` does.
 */
export function sealPartnerToken(
  keys: TokenKeys,
  payload: PartnerTokenPayload,
  options: Omit<SealOptions, 'ttlSeconds'> & { readonly issuer: string },
): SealedToken {
  const { issuer, ...rest } = options;
  const content = partnerToken.read(payload);
  if (content === undefined) throw new RangeError('a partner token cannot have this payload');
  const claims = { ...content.payload, iss: issuer, aud: AUDIENCE };
  return signJwt(keys.current, claims, { ...rest, ttlSeconds: TOKEN_LIVES_SECONDS.partner });
}

/**
 * Opens a partner JWT. Issuer and audience must match ours exactly.
 * @throws TokenRefused and nothing else.
 */
export function openPartnerToken(
  keys: TokenKeys,
  token: string,
  nowMs: number,
  expected: { readonly issuer: string },
): OpenedPartnerToken {
  const { claims, facts } = verifyJwt(keys, token, nowMs);
  if (claims['iss'] !== expected.issuer || claims['aud'] !== AUDIENCE) throw new TokenRefused('wrong_issuer');
  if ('data' in claims) throw new TokenRefused('wrong_kind');
  const content = partnerToken.read(claims);
  if (content === undefined) throw new TokenRefused('payload');
  return { ...content, ...facts };
}

/** The data a partner gets about a member who signs in there. */
export interface PartnerSignIn {
  readonly partner: string;
  readonly userData: Readonly<Record<string, unknown>>;
  readonly redirectUrl: string;
}

/**
 * Makes the token that signs a member in at a partner: HS256 with the partner's secretKey, valid for five
 * minutes, with the claims `partner`, `timestamp` (milliseconds), `user_data`, `redirect_url`, `iat`, `exp`.
 * Only the partner verifies it, with any JWT library.
 * @throws RangeError for a secretKey of fewer than 32 characters or an invalid time.
 */
export function sealPartnerSignIn(
  secretKey: string,
  signIn: PartnerSignIn,
  options: { readonly nowMs: number },
): string {
  const issuedAt = Math.floor(options.nowMs / 1000);
  if (secretKey.length < 32) throw new RangeError("a partner's secretKey must be at least 32 characters");
  if (!Number.isSafeInteger(issuedAt) || issuedAt <= 0) throw new RangeError('nowMs must be a time');
  const claims = {
    partner: signIn.partner,
    timestamp: options.nowMs,
    user_data: signIn.userData,
    redirect_url: signIn.redirectUrl,
    iat: issuedAt,
    exp: issuedAt + TOKEN_LIVES_SECONDS.partnerSignIn,
  };
  return jwt.sign(claims, createSecretKey(secretKey, 'utf8'), { algorithm: 'HS256' });
}
