import { z } from 'zod';
import { flagClaim, idClaim, optionalNumberClaim } from './claim-schemas.js';
import { type SealedToken, type SealOptions, signJwt } from './sign-jwt.js';
import type { TokenKeys } from './token-keys.js';
import { TokenRefused } from './token-refused.js';
import { type TokenFacts, verifyJwt } from './verify-jwt.js';

/** Claims that make a JWT something else than a bearer: an encrypted token, or one for a partner. */
const FOREIGN_CLAIMS = ['data', 'iss', 'aud', 'type', 'partnerId'] as const;

const bearerClaims = z.object({ userId: idClaim, role: optionalNumberClaim, isPersonnel: flagClaim });

export type BearerPayload = z.output<typeof bearerClaims>;

export type OpenedBearer = TokenFacts & { readonly kind: 'bearer'; readonly payload: BearerPayload };

/** Makes a Scheme B token: a signed JWT with the claims in clear. Throws as `signJwt` does. */
export function sealBearer(keys: TokenKeys, payload: BearerPayload, options: SealOptions): SealedToken {
  return signJwt(keys.current, bearerClaims.parse(payload), options);
}

/**
 * Opens a Scheme B token.
 *
 * @throws TokenRefused and nothing else; `wrong_kind` for other JWTs signed with the same secret.
 */
export function openBearer(keys: TokenKeys, token: string, nowMs: number): OpenedBearer {
  const { claims, facts } = verifyJwt(keys, token, nowMs);
  if (FOREIGN_CLAIMS.some((claim) => claim in claims)) throw new TokenRefused('wrong_kind');
  const parsed = bearerClaims.safeParse(claims);
  if (!parsed.success) throw new TokenRefused('payload');
  return { kind: 'bearer', payload: parsed.data, ...facts };
}
