import type { TokenStatus } from '../../tables/social-connections.js';

/** A provider's profile and tokens as stored. The caller has encrypted both tokens. */
export interface ConnectionContent {
  email: string | null;
  displayName: string | null;
  accessToken: string;
  /** Null keeps the stored one: most providers send a refresh token only once. */
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
