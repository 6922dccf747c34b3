import {
  type BearerPayload,
  openBearer,
  openPartnerToken,
  openToken,
  openTokenOfKind,
  type PartnerTokenPayload,
  type SealedToken,
  sealBearer,
  sealPartnerToken,
  sealToken,
  type TokenKeys,
  type TokenPayload,
  TokenRefused,
} from '@gatehouse/auth-core';
import { LRUCache } from 'lru-cache';

/** The content of a token for guarded routes: the caller, and the key for its revocation. */
export interface OpenedCallerToken {
  readonly userId: number;
  readonly tokenKey: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  /** Set for a session in which staff act for the member. */
  readonly impersonationId: number | undefined;
}

/** The content of a partner token: the partner, and the secret used to get it. */
export type OpenedPartner = PartnerTokenPayload & Pick<OpenedCallerToken, 'issuedAtMs'>;

export type OneUseKind =
  | 'socialLogin'
  | 'partnerLogin'
  | 'ssoLogin'
  | 'emailVerification'
  | 'emailApproval'
  | 'memberRestore'
  | 'passwordReset';

export interface OpenedOneUseToken extends Omit<OpenedCallerToken, 'impersonationId'> {
  readonly kind: OneUseKind;
  readonly partnerId: number | undefined;
  /** The connection used in a social callback. */
  readonly connectionId: number | undefined;
  /** The epoch of the member's sessions when a login token was made; undefined in those of the replaced system. */
  readonly sessionEpoch: number | undefined;
  /** The sign-in by an identity provider. */
  readonly loginId: number | undefined;
  /** The address that a mailed token went to. */
  readonly email: string | undefined;
  /** The session that requested a mail to prove a first address. */
  readonly sessionId: number | undefined;
  /** Since when the change in a mailed token is pending. */
  readonly sinceMs: number | undefined;
  /** When the member to be restored would be erased. */
  readonly erasesAtMs: number | undefined;
  /** When the password to be reset was set; null if it was never changed. */
  readonly passwordChangedAtMs: number | null | undefined;
}

/** The content of an invitation link: the invitation, and the key of this link. */
export interface OpenedInvitation {
  readonly invitationId: number;
  readonly tokenKey: string;
}

/** The content of a ticket: the token of the session that it opens, and the key of its use. */
export interface OpenedTicket {
  readonly session: string;
  /** The page of the console where the impersonation was begun. */
  readonly back: string | null;
  readonly tokenKey: string;
  readonly expiresAtMs: number;
}

export type { SealedToken };
export type SessionClaims = Omit<Extract<TokenPayload, { type?: never }>, 'type'>;
export type ImpersonationClaims = Omit<Extract<TokenPayload, { type: 'impersonation' }>, 'type'>;
export type OneUsePayload = Exclude<TokenPayload, { type?: never } | { type: 'impersonation' }>;

/** Makes and opens every kind of token with this deployment's keys. A refused token is undefined. */
export interface TokenService {
  /** The lower-case name of the header that carries Scheme A tokens. */
  readonly headerName: string;
  /** Whether this token was recently verified as one of its kind. Only a look-up. */
  remembers(kind: 'session' | 'bearer', token: string): boolean;
  /** Whether it is a valid token for its transport; bearers include partner tokens. */
  opens(kind: 'session' | 'bearer', token: string): boolean;
  /** Remembers an API key or an application's access token that was accepted, so that its next call begins at once. */
  noteKey(key: string, untilMs: number): void;
  openSession(token: string): OpenedCallerToken | undefined;
  openBearer(token: string): OpenedCallerToken | undefined;
  openPartner(token: string): OpenedPartner | undefined;
  openOneUse(token: string, kinds: readonly OneUseKind[]): OpenedOneUseToken | undefined;
  openInvitation(token: string): OpenedInvitation | undefined;
  openTicket(token: string): OpenedTicket | undefined;
  sealSession(claims: SessionClaims, life?: TokenLife): SealedToken;
  /** Its end is counted from `nowMs`, as in the row of the impersonation. */
  sealImpersonation(claims: ImpersonationClaims, life: { nowMs: number; ttlSeconds: number }): SealedToken;
  sealBearer(claims: BearerPayload, life?: TokenLife): SealedToken;
  sealPartner(payload: PartnerTokenPayload): SealedToken;
  /** @param options `notBeforeMs` is the earliest time of issue */
  sealOneUse(
    payload: OneUsePayload,
    ttlSeconds: number,
    options?: { readonly notBeforeMs: number },
  ): SealedToken;
}

/** The life of a token that differs from that of a new session, and the id it must have. */
export interface TokenLife {
  /** The issue time; now by default. */
  readonly issuedAtMs?: number;
  /** It expires no later than this. */
  readonly untilMs?: number;
  readonly jti?: string;
}

export interface TokenServiceOptions {
  keys: TokenKeys;
  headerName: string;
  partnerIssuer: string;
  sessionTtlSeconds: number;
  /** Whether sessions in which staff act for a member are accepted here. */
  takesImpersonations: boolean;
  now: () => number;
  /** The most verified tokens in the cache. */
  capacity?: number;
}

export function createTokenService(options: TokenServiceOptions): TokenService {
  const { keys, now, sessionTtlSeconds, takesImpersonations, partnerIssuer: issuer } = options;
  const capacity = options.capacity ?? 20_000;
  const kinds = takesImpersonations ? (['session', 'impersonation'] as const) : (['session'] as const);
  const sessions = rememberVerified(capacity, options, (token) => {
    const opened = openTokenOfKind(keys, token, now(), kinds);
    const { userId } = opened.payload;
    const impersonationId = opened.kind === 'session' ? undefined : opened.payload.act.impersonationId;
    return { ...opened, userId, impersonationId };
  });
  const bearers = rememberVerified(capacity, options, (token) => {
    const opened = openBearer(keys, token, now());
    return { ...opened, userId: opened.payload.userId, impersonationId: undefined };
  });
  const apiKeys = new LRUCache<string, { readonly untilMs: number }>({
    maxSize: capacity,
    sizeCalculation: () => 1,
  });
  const openPartner = (token: string) =>
    refusedAsUndefined(() => {
      const { payload, issuedAtMs } = openPartnerToken(keys, token, now(), { issuer });
      return { ...payload, issuedAtMs };
    });
  const sessionLife = ({ issuedAtMs: nowMs = now(), untilMs, jti }: TokenLife = {}) => {
    const leftSeconds =
      untilMs === undefined ? sessionTtlSeconds : Math.floor(untilMs / 1000) - Math.floor(nowMs / 1000);
    return { nowMs, ttlSeconds: Math.max(1, Math.min(sessionTtlSeconds, leftSeconds)), jti };
  };

  return {
    headerName: options.headerName.toLowerCase(),
    remembers(kind, token) {
      if (kind === 'session') return sessions.find(token) !== undefined;
      return bearers.find(token) !== undefined || now() < (apiKeys.get(token)?.untilMs ?? 0);
    },
    noteKey: (key, untilMs) => void apiKeys.set(key, { untilMs }),
    opens: (kind, token) =>
      (kind === 'session' ? sessions.open(token) : (bearers.open(token) ?? openPartner(token))) !== undefined,
    openSession: sessions.open,
    openBearer: bearers.open,
    openPartner,
    openOneUse: (token, accepted) =>
      refusedAsUndefined(() => {
        const opened = openToken(keys, token, now());
        if (!isOneUse(opened) || !accepted.includes(opened.kind)) return undefined;
        const { payload } = opened;
        return {
          ...opened,
          kind: opened.kind,
          userId: payload.userId,
          partnerId: 'partnerId' in payload ? (payload.partnerId ?? undefined) : undefined,
          connectionId: 'connectionId' in payload ? (payload.connectionId ?? undefined) : undefined,
          sessionEpoch: 'sessionEpoch' in payload ? (payload.sessionEpoch ?? undefined) : undefined,
          loginId: 'loginId' in payload ? payload.loginId : undefined,
          email: 'email' in payload ? (payload.email ?? undefined) : undefined,
          sessionId: 'sessionId' in payload ? payload.sessionId : undefined,
          erasesAtMs: 'erasesAtMs' in payload ? payload.erasesAtMs : undefined,
          sinceMs: 'sinceMs' in payload ? payload.sinceMs : undefined,
          passwordChangedAtMs: 'passwordChangedAtMs' in payload ? payload.passwordChangedAtMs : undefined,
        };
      }),
    openInvitation: (token) =>
      refusedAsUndefined(() => {
        const { payload, tokenKey } = openTokenOfKind(keys, token, now(), ['invitation']);
        return { invitationId: payload.invitationId, tokenKey };
      }),
    openTicket: (token) =>
      refusedAsUndefined(() => {
        const { payload, tokenKey, expiresAtMs } = openTokenOfKind(keys, token, now(), [
          'impersonationTicket',
        ]);
        return { session: payload.session, back: payload.back ?? null, tokenKey, expiresAtMs };
      }),
    sealSession: (claims, lived) => sealToken(keys, claims, sessionLife(lived)),
    sealImpersonation: (claims, lived) => sealToken(keys, { type: 'impersonation', ...claims }, lived),
    sealBearer: (claims, lived) => sealBearer(keys, claims, sessionLife(lived)),
    sealPartner: (payload) => sealPartnerToken(keys, payload, { nowMs: now(), issuer }),
    sealOneUse: (payload, ttlSeconds, { notBeforeMs } = { notBeforeMs: 0 }) =>
      sealToken(keys, payload, { nowMs: Math.max(now(), notBeforeMs), ttlSeconds }),
  };
}

function isOneUse<Opened extends { readonly kind: string }>(
  opened: Opened,
): opened is Extract<Opened, { kind: OneUseKind }> {
  return !['session', 'invitation', 'impersonation', 'impersonationTicket'].includes(opened.kind);
}

/**
 * Verifying and decrypting are the most expensive part of a call. So results are cached in bounded memory
 * until the token expires or the previous key ends.
 */
function rememberVerified(
  capacity: number,
  { keys, now }: TokenServiceOptions,
  open: (token: string) => OpenedCallerToken,
): Record<'find' | 'open', (token: string) => OpenedCallerToken | undefined> {
  const verified = new LRUCache<string, OpenedCallerToken & { readonly trustedUntilMs: number }>({
    // With `max` the room for all would be taken at once.
    maxSize: capacity,
    sizeCalculation: () => 1,
  });
  const find = (token: string) => {
    const known = verified.get(token);
    return known !== undefined && now() < known.trustedUntilMs ? known : undefined;
  };
  const verify = (token: string) =>
    refusedAsUndefined(() => {
      const { userId, tokenKey, issuedAtMs, expiresAtMs, impersonationId } = open(token);
      // It is not known which key opened it, so no result outlives the previous key.
      const endMs = keys.previous && now() < keys.previous.untilMs ? keys.previous.untilMs : expiresAtMs;
      const opened = {
        userId,
        tokenKey,
        issuedAtMs,
        expiresAtMs,
        impersonationId,
        trustedUntilMs: Math.min(expiresAtMs, endMs),
      };
      verified.set(token, opened);
      return opened;
    });
  return { find, open: (token) => find(token) ?? verify(token) };
}

function refusedAsUndefined<Opened>(open: () => Opened): Opened | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof TokenRefused) return undefined;
    throw error;
  }
}
