import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { sha256Hex } from '../crypto/random-and-digest.js';
import { maxTokenLength } from './passphrase-cipher.js';
import type { TokenKeys, TokenSecret } from './token-keys.js';
import { TokenRefused } from './token-refused.js';

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

/** The claims that every token has besides its payload. */
export interface TokenFacts {
  /**
   * Identifies the token for revocation: 64 hexadecimal characters, the SHA-256 of its `jti` or, without one, of
   * the signed part. The signature allows only one spelling of that part.
   */
  readonly tokenKey: string;
  /** The token's `jti`; null in tokens of systems without it. */
  readonly jti: string | null;
  /** Exact to the second; 0 if the token has none. */
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

interface VerifiedJwt {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The secret that signed it. */
  readonly secret: TokenSecret;
  readonly facts: TokenFacts;
}

/** Three base64url segments; the last holds the 32 bytes of an HMAC-SHA256. */
const COMPACT_HS256 = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/;

/** The header that jsonwebtoken writes, and so that of nearly every token. */
const USUAL_HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** The latest time that a Date can represent. */
const MAX_TIME_MS = 8.64e15;

/**
 * Verifies a JWT (RFC 7519 with the advice of RFC 8725): HS256 only, a header of `alg` and `typ` only, `exp`
 * required. It checks the signature before it reads the content.
 * @throws TokenRefused and nothing else.
 */
export function verifyJwt(keys: TokenKeys, token: string, nowMs: number): VerifiedJwt {
  if (typeof token !== 'string' || token.length > maxTokenLength || !COMPACT_HS256.test(token)) {
    throw new TokenRefused('malformed');
  }
  refuseUnusualHeader(token.slice(0, token.indexOf('.')));

  const { claims, secret } = verifySignature(keys, token, nowMs);
  const expiresAtMs = readTime(claims['exp']);
  const issuedAtMs = readTime(claims['iat']);
  const notBeforeMs = readTime(claims['nbf']);
  if (expiresAtMs === undefined) throw new TokenRefused('expiry_missing');
  if (!(nowMs < expiresAtMs)) throw new TokenRefused('expired');
  if (notBeforeMs !== undefined && !(nowMs >= notBeforeMs)) throw new TokenRefused('not_yet_valid');

  const jti = readTokenId(claims['jti']);
  const tokenKey = sha256Hex(jti ?? token.slice(0, token.lastIndexOf('.')));
  return { claims, secret, facts: { tokenKey, jti, issuedAtMs: issuedAtMs ?? 0, expiresAtMs } };
}

function refuseUnusualHeader(segment: string): void {
  if (segment === USUAL_HEADER) return;
  const header = readJson(Buffer.from(segment, 'base64url'));
  if (!isRecord(header)) throw new TokenRefused('header');
  const { alg, typ, ...others } = header;
  const isPlain = alg === 'HS256' && (typ === undefined || typ === 'JWT') && Object.keys(others).length === 0;
  if (!isPlain) throw new TokenRefused('header');
}

function verifySignature(keys: TokenKeys, token: string, nowMs: number) {
  for (const secret of usableSecrets(keys, nowMs)) {
    const claims = claimsSignedWith(secret, token);
    if (claims !== undefined) return { claims, secret };
  }
  throw new TokenRefused('signature');
}

function usableSecrets({ current, previous }: TokenKeys, nowMs: number): readonly TokenSecret[] {
  return previous !== undefined && nowMs < previous.untilMs ? [current, previous] : [current];
}

function claimsSignedWith(secret: TokenSecret, token: string): Readonly<Record<string, unknown>> | undefined {
  let claims: unknown;
  try {
    claims = jwt.verify(token, secret.key, {
      algorithms: ['HS256'],
      ignoreExpiration: true,
      ignoreNotBefore: true,
    });
  } catch {
    return undefined;
  }
  if (!isRecord(claims)) throw new TokenRefused('claims');
  return claims;
}

/** A NumericDate of RFC 7519 in milliseconds; undefined when the claim is absent. */
function readTime(claim: unknown): number | undefined {
  if (claim === undefined) return undefined;
  if (typeof claim !== 'number' || !(claim > 0 && claim * 1000 <= MAX_TIME_MS))
    throw new TokenRefused('claims');
  return Math.floor(claim * 1000);
}

function readTokenId(claim: unknown): string | null {
  if (claim === undefined) return null;
  if (typeof claim !== 'string' || claim === '') throw new TokenRefused('claims');
  return claim;
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
