import {
  type BearerPayload,
  openBearer,
  openToken,
  openTokenOfKind,
  sealBearer,
  type SealedToken,
  sealToken,
  type TokenKeys,
  type TokenPayload,
  TokenRefused,
} from '@gatehouse/auth-core';
import { LRUCache } from 'lru-cache';

/** What a token that opens guarded routes says: who calls, and what revocation knows it by. */
export interface OpenedCallerToken {
  readonly userId: number;
  readonly tokenKey: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

export type OneUseKind = 'socialLogin' | 'partnerLogin' | 'emailVerification' | 'passwordReset';

export interface OpenedOneUseToken extends OpenedCallerToken {
  readonly kind: OneUseKind;
  readonly partnerId: number | undefined;
}

export type SessionClaims = Omit<Extract<TokenPayload, { type?: never }>, 'type'>;
export type OneUsePayload = Exclude<TokenPayload, { type?: never }>;

/** Makes and opens every kind of token with the keys of this deployment; a refused token is undefined. */
export interface TokenDoor {
  /** The lower-case name of the header that carries Scheme A tokens. */
  readonly headerName: string;
  openSession(token: string): OpenedCallerToken | undefined;
  openBearer(token: string): OpenedCallerToken | undefined;
  openOneUse(token: string, kinds: readonly OneUseKind[]): OpenedOneUseToken | undefined;
  sealSession(claims: SessionClaims): SealedToken;
  sealBearer(claims: BearerPayload): SealedToken;
  sealOneUse(payload: OneUsePayload, ttlSeconds: number): SealedToken;
}

export interface TokenDoorOptions {
  keys: TokenKeys;
  headerName: string;
  sessionTtlSeconds: number;
  now: () => number;
  /** How many verified tokens are remembered. */
  capacity?: number;
}

export function createTokenDoor(options: TokenDoorOptions): TokenDoor {
  const { keys, now, sessionTtlSeconds } = options;
  const capacity = options.capacity ?? 20_000;
  const openSession = rememberVerified(capacity, options, (token) => {
    const opened = openTokenOfKind(keys, token, now(), ['session']);
    return { ...opened, userId: opened.payload.userId };
  });
  const openBearerToken = rememberVerified(capacity, options, (token) => {
    const opened = openBearer(keys, token, now());
    return { ...opened, userId: opened.payload.userId };
  });
  const life = (ttlSeconds: number) => ({ nowMs: now(), ttlSeconds });

  return {
    headerName: options.headerName.toLowerCase(),
    openSession,
    openBearer: openBearerToken,
    openOneUse: (token, kinds) =>
      refusedAsUndefined(() => {
        const opened = openToken(keys, token, now());
        if (opened.kind === 'session' || !kinds.includes(opened.kind)) return undefined;
        const partnerId = opened.kind === 'partnerLogin' ? (opened.payload.partnerId ?? undefined) : undefined;
        return { ...opened, kind: opened.kind, userId: opened.payload.userId, partnerId };
      }),
    sealSession: (claims) => sealToken(keys, claims, life(sessionTtlSeconds)),
    sealBearer: (claims) => sealBearer(keys, claims, life(sessionTtlSeconds)),
    sealOneUse: (payload, ttlSeconds) => sealToken(keys, payload, life(ttlSeconds)),
  };
}

/**
 * Verifying and decrypting costs more than everything else on the way of a call, so what was verified
 * is remembered, in bounded memory, until it expires or the previous key ends.
 */
function rememberVerified(
  capacity: number,
  { keys, now }: TokenDoorOptions,
  open: (token: string) => OpenedCallerToken,
): (token: string) => OpenedCallerToken | undefined {
  const verified = new LRUCache<string, OpenedCallerToken & { readonly trustedUntilMs: number }>({ max: capacity });
  return (token) => {
    const known = verified.get(token);
    if (known !== undefined && now() < known.trustedUntilMs) return known;
    return refusedAsUndefined(() => {
      const { userId, tokenKey, issuedAtMs, expiresAtMs } = open(token);
      // Which of the two keys opened it is not told, so none is trusted past the end of the previous one.
      const endMs = keys.previous && now() < keys.previous.untilMs ? keys.previous.untilMs : expiresAtMs;
      const opened = { userId, tokenKey, issuedAtMs, expiresAtMs, trustedUntilMs: Math.min(expiresAtMs, endMs) };
      verified.set(token, opened);
      return opened;
    });
  };
}

function refusedAsUndefined<Opened>(open: () => Opened): Opened | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof TokenRefused) return undefined;
    throw error;
  }
}
