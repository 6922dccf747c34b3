import type { ConnectionRow, ConnectionSummary } from '@gatehouse/db/queries/read-connections';
import { z } from 'zod';
import { findSocialProviderById } from '../core/social-providers/social-providers.js';
import type { ProviderTokens } from './token-answer.js';

/** Tokens are renewed after this share of their life. */
const RENEW_AFTER = 0.8;

/** When the access token ends and when it needs action, in epoch milliseconds; null for never. */
interface TokenSchedule {
  readonly expiresAtMs: number | null;
  readonly renewDueAtMs: number | null;
}

/** The schedule of newly issued tokens. */
export function tokenSchedule({ expiresInSeconds }: ProviderTokens, nowMs: number): TokenSchedule {
  if (expiresInSeconds === null) return { expiresAtMs: null, renewDueAtMs: null };
  const lifeMs = expiresInSeconds * 1000;
  return { expiresAtMs: nowMs + lifeMs, renewDueAtMs: nowMs + Math.round(lifeMs * RENEW_AFTER) };
}

/**
 * The current status of a token. It expires with time alone; that it is revoked or broken is found by a
 * renewal and stored. A stored `valid` token is `expiring` when a fifth of its life is left, because a
 * renewal should have happened by then.
 */
function tokenStatus(
  stored: Pick<ConnectionRow, 'tokenStatus' | 'expiresAtMs' | 'renewDueAtMs'>,
  nowMs: number,
): ConnectionRow['tokenStatus'] {
  if (stored.tokenStatus === 'revoked' || stored.tokenStatus === 'error') return stored.tokenStatus;
  if (stored.expiresAtMs !== null && stored.expiresAtMs <= nowMs) return 'expired';
  const isDue = stored.renewDueAtMs !== null && stored.renewDueAtMs <= nowMs;
  return stored.tokenStatus === 'valid' && isDue ? 'expiring' : stored.tokenStatus;
}

const accounts = z
  .array(z.object({ id: z.string(), name: z.string() }))
  .nullable()
  .catch(null);

const detail = z
  .record(z.string(), z.union([z.string(), z.boolean()]).nullable())
  .nullable()
  .catch(null);

/** A connection as its member sees it, without tokens. */
export const connectionView = z.object({
  id: z.int(),
  /** The key of the provider, as in URLs. */
  provider: z.string(),
  provider_Id: z.int(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  token_status: z.enum(['valid', 'expiring', 'expired', 'revoked', 'error']),
  scopes: z.array(z.string()),
  FbAccounts: accounts,
  IgAccounts: accounts,
  LnAccounts: accounts,
  TwtAccounts: accounts,
  detail,
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});

export function toConnectionView(row: ConnectionRow, nowMs: number): z.output<typeof connectionView> {
  const { id, provider, displayName, email, token_status, expiresAt, createdAt } = toConnectionSummaryView(
    row,
    nowMs,
  );
  return {
    id,
    provider,
    provider_Id: row.providerId,
    displayName,
    email,
    token_status,
    scopes: row.scopes === null ? [] : row.scopes.split(' '),
    FbAccounts: accounts.parse(row.fbAccounts),
    IgAccounts: accounts.parse(row.igAccounts),
    LnAccounts: accounts.parse(row.lnAccounts),
    TwtAccounts: accounts.parse(row.twtAccounts),
    detail: detail.parse(row.detail),
    expiresAt,
    createdAt,
  };
}

/** A connection as staff see it. */
export const connectionSummaryView = connectionView.pick({
  id: true,
  provider: true,
  displayName: true,
  email: true,
  token_status: true,
  expiresAt: true,
  createdAt: true,
});

export function toConnectionSummaryView(
  row: ConnectionSummary,
  nowMs: number,
): z.output<typeof connectionSummaryView> {
  return {
    id: row.id,
    provider: findSocialProviderById(row.providerId)?.key ?? 'unknown',
    displayName: row.displayName,
    email: row.email,
    token_status: tokenStatus(row, nowMs),
    expiresAt: row.expiresAtMs === null ? null : new Date(row.expiresAtMs).toISOString(),
    createdAt: new Date(row.createdAtMs).toISOString(),
  };
}
