import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Permission } from '../main.js';
import type { Decision } from './verified.js';
import { UNAUTHORIZED, unavailable } from './verified.js';

export interface OfflineOptions {
  /** The base address of the service, as this server reaches it. */
  readonly url: string;
  /** Its BASE_URL, which the tokens name. */
  readonly issuer: string;
  /** The origin of this API, as root staff registered it. */
  readonly audience: string;
  readonly timeoutMs: number;
}

/** As long as the service says. An unknown key makes it read them at once, at most twice a minute. */
const CACHE_MS = 300_000;

/** A token without a `kid` that several keys may have signed is refused like one that no key signed. */
const REFUSAL = /^ERR_JW[ST]_|_MATCHING_KEY|_NOT_/;

/** Verifies access tokens by the keys of the service, which are read when a token names an unknown one. */
export function offlineVerifier({ url, issuer, audience, timeoutMs }: OfflineOptions) {
  let keys: JWTVerifyGetKey | undefined;

  return async (token: string, accountId: string | undefined): Promise<Decision> => {
    // Loaded at the first use.
    const { createRemoteJWKSet, errors, jwtVerify } = await import('jose');
    keys ??= createRemoteJWKSet(new URL(`${url}/oauth/jwks`), {
      timeoutDuration: timeoutMs,
      cacheMaxAge: CACHE_MS,
    });
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ['ES256'],
        typ: 'at+jwt',
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return verifiedIn(payload, accountId);
    } catch (error) {
      // Other errors mean that the keys could not be read.
      if (error instanceof errors.JOSEError && REFUSAL.test(error.code)) return UNAUTHORIZED;
      throw unavailable(new TypeError('No answer', { cause: error }));
    }
  };
}

/** Whether a bearer is an access token for another API, by its header. */
export function isAccessToken(bearer: string): boolean {
  try {
    const [header = ''] = bearer.split('.');
    return /"typ" *: *"at\+jwt"/.test(atob(header.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return false;
  }
}

/** What the service signed. */
interface SignedClaims extends JWTPayload {
  readonly account: number | null;
  readonly role: number | null;
  readonly permissions: readonly Permission[];
  readonly acr: string;
}

function verifiedIn(payload: JWTPayload, accountId: string | undefined): Decision {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service signed it for this API
  const { sub, account, role, permissions, acr } = payload as SignedClaims;
  // The token is for one account, whatever the request names.
  if (accountId && accountId !== `${account}`) return { status: 403, code: 'account_forbidden' };
  return {
    member: { id: Number(sub) },
    account: account === null ? null : { id: account },
    role,
    permissions,
    subscription: null,
    level: Number(acr),
    actor: null,
    key: null,
  };
}
