import type { ConnectionRow } from '@gatehouse/db';
import type { ProviderTokens } from './token-answer.js';

/** Tokens are renewed after this share of their life. */
const RENEW_AFTER = 0.8;

/** When the access token ends and when it needs action, in epoch milliseconds; null for never. */
export interface TokenSchedule {
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
export function tokenStatus(
  stored: Pick<ConnectionRow, 'tokenStatus' | 'expiresAtMs' | 'renewDueAtMs'>,
  nowMs: number,
): ConnectionRow['tokenStatus'] {
  if (stored.tokenStatus === 'revoked' || stored.tokenStatus === 'error') return stored.tokenStatus;
  if (stored.expiresAtMs !== null && stored.expiresAtMs <= nowMs) return 'expired';
  const isDue = stored.renewDueAtMs !== null && stored.renewDueAtMs <= nowMs;
  return stored.tokenStatus === 'valid' && isDue ? 'expiring' : stored.tokenStatus;
}
