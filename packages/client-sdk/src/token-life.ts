/** When a token was made and when it expires, in epoch milliseconds. */
export interface TokenLife {
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** The stored state of a session in a cookie, as JSON: its life, and a random text for each sign-in. */
export interface KeptCookieSession extends TokenLife {
  readonly signIn: string;
}

/** The life of a session token, which is a JWT, or of what a store keeps in cookie mode; undefined where it is neither. */
export function tokenLife(held: string, isInCookie: boolean): TokenLife | undefined {
  if (isInCookie) return keptSession(held);
  const [issuedAtMs, expiresAtMs] = timesOf(held);
  if (!Number.isFinite(issuedAtMs) || !Number.isFinite(expiresAtMs)) return undefined;
  return { issuedAtMs: issuedAtMs ?? 0, expiresAtMs: expiresAtMs ?? 0 };
}

/** The stored state in cookie mode; undefined for other values. */
export function keptSession(held: string | null): KeptCookieSession | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its times are checked
    const kept = JSON.parse(held ?? '') as KeptCookieSession;
    return Number.isFinite(kept.issuedAtMs) && Number.isFinite(kept.expiresAtMs) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function timesOf(token: string): number[] {
  try {
    const payload = token.split('.')[1] ?? '';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing becomes NaN
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as {
      iat?: unknown;
      exp?: unknown;
    };
    return [Number(claims.iat) * 1000, Number(claims.exp) * 1000];
  } catch {
    return [];
  }
}
