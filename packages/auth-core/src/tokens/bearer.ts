import { z } from 'zod';
import { type SealedToken, type SealOptions, signJwt, type TokenFacts, verifyJwt } from './jwt.js';
import type { TokenKeys } from './token-keys.js';
import { flagClaim, idClaim, optionalNumberClaim, tokenKind } from './token-kinds.js';
import { TokenRefused } from './token-refused.js';

/** Claims that mark a JWT as something other than a bearer: an encrypted token, or a partner's. */
const FOREIGN_CLAIMS = ['data', 'iss', 'aud', 'type', 'partnerId', 'act'] as const;

const bearerToken = tokenKind(
  'bearer',
  z.object({ userId: idClaim, role: optionalNumberClaim, isPersonnel: flagClaim }),
);

export type OpenedBearer = NonNullable<ReturnType<typeof bearerToken.read>> & TokenFacts;

export type BearerPayload = OpenedBearer['payload'];

/**
 * Makes a Scheme B token: a signed JWT with readable claims.
 * @throws RangeError for a payload that could not be opened again, and as `signJwt` does.
 */
export function sealBearer(keys: TokenKeys, payload: BearerPayload, options: SealOptions): SealedToken {
  const content = bearerToken.read(payload);
  if (content === undefined) throw new RangeError('a bearer cannot have this payload');
  return signJwt(keys.current, content.payload, options);
}

/**
 * Opens a Scheme B token.
 * @throws TokenRefused and nothing else; `wrong_kind` for other JWTs signed with the same secret.
 */
export function openBearer(keys: TokenKeys, token: string, nowMs: number): OpenedBearer {
  const { claims, facts } = verifyJwt(keys, token, nowMs);
  if (FOREIGN_CLAIMS.some((claim) => claim in claims)) throw new TokenRefused('wrong_kind');
  const content = bearerToken.read(claims);
  if (content === undefined) throw new TokenRefused('payload');
  return { ...content, ...facts };
}
