import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { sha256Hex } from '../crypto/sha256-hex.js';
import { maxTokenLength } from './max-token-length.js';
import type { TokenSecret } from './token-keys.js';

/** The issue time and lifetime of a token, and its randomness for tests. */
export interface SealOptions {
  readonly nowMs: number;
  readonly ttlSeconds: number;
  readonly random?: ((byteCount: number) => Buffer) | undefined;
  /** 128 random bits in hexadecimal by default. */
  readonly jti?: string | undefined;
}

/** A new token and the data to store. Revocation identifies it by `tokenKey`. */
export interface SealedToken {
  readonly token: string;
  readonly jti: string;
  readonly tokenKey: string;
  readonly expiresAtMs: number;
}

/**
 * Signs claims as a JWT with HS256, adding `jti`, `iat` and `exp`.
 *
 * @throws RangeError for times that are not positive whole numbers and for a token that is too long to be
 * accepted.
 */
export function signJwt(
  secret: TokenSecret,
  claims: Readonly<Record<string, unknown>>,
  options: SealOptions,
): SealedToken {
  const { nowMs, ttlSeconds, random = randomBytes, jti = random(16).toString('hex') } = options;
  const issuedAt = Math.floor(nowMs / 1000);
  if (!Number.isSafeInteger(issuedAt) || issuedAt <= 0) throw new RangeError('nowMs must be a time');
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds <= 0)
    throw new RangeError('ttlSeconds must be positive and whole');

  const expiresAt = issuedAt + ttlSeconds;
  const token = jwt.sign({ ...claims, jti, iat: issuedAt, exp: expiresAt }, secret.key, {
    algorithm: 'HS256',
  });
  if (token.length > maxTokenLength)
    throw new RangeError(`a token must not be longer than ${maxTokenLength} characters`);
  return { token, jti, tokenKey: sha256Hex(jti), expiresAtMs: expiresAt * 1000 };
}
