import type { ConnectionRow } from '@gatehouse/db';
import type { ProviderTokens } from './token-answer.js';

/** Tokens are renewed when this much of their life is over. */
const RENEW_AFTER = 0.8;

/** When the access token ends and when something has to be done about that, in epoch milliseconds; null for never. */
export interface TokenSchedule {
  readonly expiresAtMs: number | null;
  readonly renewDueAtMs: number | null;
}

/** The schedule of tokens that a provider has just given. */
export function tokenSchedule({ expiresInSeconds }: ProviderTokens, nowMs: number): TokenSchedule {
  if (expiresInSeconds === null) return { expiresAtMs: null, renewDueAtMs: null };
  const lifeMs = expiresInSeconds * 1000;
  return { expiresAtMs: nowMs + lifeMs, renewDueAtMs: nowMs + Math.round(lifeMs * RENEW_AFTER) };
}

/**
 * The status of a token now. Time alone makes a token expire; that it is revoked or broken was found out by a renewal, and
 * stands. A token that is still `valid` where it is kept has had no renewal since, so that one is due when a fifth of its
 * life is left.
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
