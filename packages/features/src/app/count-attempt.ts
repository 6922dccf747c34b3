import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import type { Context } from './context.js';
import { logLimited } from './log-limited.js';

/** An attempt that has been counted as failed until it turns out otherwise. */
export interface CountedAttempt {
  /** Takes the count back: the secret was right, or was never compared. */
  refund(): Promise<void>;
}

/**
 * Counts an attempt to sign in as failed before any secret is compared, so that no burst of parallel guesses gets more
 * than its share.
 *
 * @throws {AppError} `rate_limited`
 */
export async function countAttempt(
  { services, call }: Context,
  limits: readonly Limit[],
  memberId?: number,
): Promise<CountedAttempt> {
  for (const limit of limits) {
    try {
      await enforceLimit(services, limit);
    } catch (error) {
      logLimited({ services, call }, memberId);
      throw error;
    }
  }
  return {
    async refund() {
      for (const limit of limits) await services.limits.refund(limit);
    },
  };
}
