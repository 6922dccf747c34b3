import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { TOKEN_LIVES_SECONDS } from './token-lives.js';

/** What a partner is told about the member who comes over. */
export interface PartnerSignIn {
  readonly partner: string;
  readonly userData: Readonly<Record<string, unknown>>;
  readonly redirectUrl: string;
}

/**
 * Makes the token with which a member signs in at a partner: HS256 with that partner's secretKey, five
 * minutes, claims `partner`, `timestamp` (milliseconds), `user_data`, `redirect_url`, `iat`, `exp`.
 * Nothing here opens it; the partner does, with any JWT library.
 *
 * @throws RangeError for a secretKey of fewer than 32 characters or a moment that is no time.
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
