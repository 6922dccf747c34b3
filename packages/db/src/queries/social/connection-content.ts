import type { TokenStatus } from '../../tables/social-connections.js';

/** What a provider told us and gave us, as it is written down; both tokens are encrypted by the caller. */
export interface ConnectionContent {
  email: string | null;
  displayName: string | null;
  accessToken: string;
  /** Null keeps the one that stands there: most providers give theirs only once. */
  refreshToken: string | null;
  tokenStatus: TokenStatus;
  scopes: string | null;
  fbAccounts: unknown;
  igAccounts: unknown;
  lnAccounts: unknown;
  twtAccounts: unknown;
  detail: unknown;
  expiresAtMs: number | null;
  renewDueAtMs: number | null;
}
