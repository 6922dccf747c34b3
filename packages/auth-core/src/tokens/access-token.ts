import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
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
  readonly acr: string;
  /** Of a session's token. */
  readonly sid?: number | null;
  readonly amr?: readonly string[];
  /** Of an application's token. */
  readonly scope?: string;
}

const TYPE = 'at+jwt';

/** Signs an access token for another API with ES256. Its `typ` keeps others from mistaking it for another kind of token. */
export function signAccessToken(
  claims: AccessTokenClaims,
  { kid, key }: { readonly kid: string; readonly key: KeyObject },
): string {
  const header = { alg: 'ES256', typ: TYPE, kid } as const;
  return jwt.sign(claims, key, { algorithm: 'ES256', header });
}

/**
 * Opens an access token that `signAccessToken` made.
 * @param keys the published keys as JWKs
 * @returns undefined for one that is malformed, of another issuer or kind, expired, or signed with none of the keys
 */
export function openAccessToken(
  token: string,
  {
    keys,
    issuer,
    nowMs,
  }: { readonly keys: readonly Record<string, unknown>[]; readonly issuer: string; readonly nowMs: number },
): AccessTokenClaims | undefined {
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    const jwk = keys.find(({ kid, alg }) => kid === header?.kid && alg === 'ES256');
    if (jwk === undefined || header?.typ !== TYPE) return undefined;
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const clockTimestamp = Math.floor(nowMs / 1000);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `signAccessToken` signs this type with these keys
    return jwt.verify(token, key, { algorithms: ['ES256'], issuer, clockTimestamp }) as AccessTokenClaims;
  } catch {
    return undefined;
  }
}
