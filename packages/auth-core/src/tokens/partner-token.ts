import { z } from 'zod';
import { type SealedToken, type SealOptions, signJwt } from './sign-jwt.js';
import type { TokenKeys } from './token-keys.js';
import { TOKEN_LIVES_SECONDS } from './token-lives.js';
import { TokenRefused } from './token-refused.js';
import { type TokenFacts, verifyJwt } from './verify-jwt.js';

const AUDIENCE = 'partner-auth';

const partnerClaims = z.object({
  partnerId: z.union([z.int().positive(), z.string().min(1)]),
  partnerName: z.string(),
});

export type PartnerTokenPayload = z.output<typeof partnerClaims>;

export type OpenedPartnerToken = TokenFacts & { readonly kind: 'partner'; readonly payload: PartnerTokenPayload };

/** Makes a partner JWT: 3,600 seconds, for the audience `partner-auth`, in clear. */
export function sealPartnerToken(
  keys: TokenKeys,
  payload: PartnerTokenPayload,
  options: Omit<SealOptions, 'ttlSeconds'> & { readonly issuer: string },
): SealedToken {
  const { issuer, ...rest } = options;
  const claims = { ...partnerClaims.parse(payload), iss: issuer, aud: AUDIENCE };
  return signJwt(keys.current, claims, { ...rest, ttlSeconds: TOKEN_LIVES_SECONDS.partner });
}

/**
 * Opens a partner JWT. Issuer and audience must be exactly ours.
 *
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
  const parsed = partnerClaims.safeParse(claims);
  if (!parsed.success || 'data' in claims) throw new TokenRefused('payload');
  return { kind: 'partner', payload: parsed.data, ...facts };
}
