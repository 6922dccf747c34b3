import type { Tables } from '../../tables/define-tables.js';
import type { TokenStatus } from '../../tables/social-connections.js';

/** A connection without its tokens. */
export interface ConnectionRow {
  id: number;
  memberId: number;
  providerId: number;
  providerUserId: string;
  email: string | null;
  displayName: string | null;
  tokenStatus: TokenStatus;
  scopes: string | null;
  fbAccounts: unknown;
  igAccounts: unknown;
  lnAccounts: unknown;
  twtAccounts: unknown;
  detail: unknown;
  expiresAtMs: number | null;
  renewDueAtMs: number | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The columns of a `ConnectionRow`. */
export function connectionColumns({ socialConnections }: Tables) {
  const { id, memberId, providerId, providerUserId, email, displayName, tokenStatus, scopes } =
    socialConnections;
  const { fbAccounts, igAccounts, lnAccounts, twtAccounts, detail } = socialConnections;
  const { expiresAtMs, renewDueAtMs, createdAtMs, updatedAtMs } = socialConnections;
  return {
    id,
    memberId,
    providerId,
    providerUserId,
    email,
    displayName,
    tokenStatus,
    scopes,
    fbAccounts,
    igAccounts,
    lnAccounts,
    twtAccounts,
    detail,
    expiresAtMs,
    renewDueAtMs,
    createdAtMs,
    updatedAtMs,
  };
}
