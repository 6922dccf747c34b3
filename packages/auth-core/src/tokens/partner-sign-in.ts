import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { TOKEN_LIVES_SECONDS } from './token-lives.js';

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
