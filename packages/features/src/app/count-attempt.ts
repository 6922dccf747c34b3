import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import type { Context } from './context.js';
import { logLimited } from './log-limited.js';

/** An attempt that counts as failed until proven otherwise. */
export interface CountedAttempt {
  /** Removes the count: the secret was right, or never compared. */
  refund(): Promise<void>;
}

/**
 * Counts an attempt to sign in as failed before any secret is compared, so parallel guesses cannot exceed the
 * limit.
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
