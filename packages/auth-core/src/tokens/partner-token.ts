import { z } from 'zod';
import { idClaim } from './claim-schemas.js';
import { type SealedToken, type SealOptions, signJwt } from './sign-jwt.js';
import type { TokenKeys } from './token-keys.js';
import { tokenKind } from './token-kind.js';
import { TOKEN_LIVES_SECONDS } from './token-lives.js';
import { TokenRefused } from './token-refused.js';
import { type TokenFacts, verifyJwt } from './verify-jwt.js';

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
