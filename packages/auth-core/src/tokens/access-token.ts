import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** What an access token for another API says (RFC 9068, section 2.2). Times are in seconds. */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly client_id: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly auth_time?: number;
  readonly account: number | null;
  readonly role: number | null;
  readonly permissions: readonly string[];
  readonly sid: number | null;
  readonly amr: readonly string[];
  readonly acr: string;
}

/** Signs an access token for another API with ES256. Its `typ` keeps others from taking it for anything else. */
export function signAccessToken(
  claims: AccessTokenClaims,
  { kid, key }: { readonly kid: string; readonly key: KeyObject },
): string {
  const header = { alg: 'ES256', typ: 'at+jwt', kid } as const;
  return jwt.sign(claims, key, { algorithm: 'ES256', header });
}
