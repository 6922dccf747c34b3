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
