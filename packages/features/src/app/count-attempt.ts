import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import { takeLimitPoint } from '@gatehouse/runtime/limits/take-limit-point';
import type { Context } from './context.js';
import { logLimited } from './log-limited.js';

/** An attempt that has been counted as failed until it turns out otherwise. */
export interface CountedAttempt {
  /** Takes the count back: the secret was right, or was never compared. */
  takeBack(): Promise<void>;
}

/**
 * Counts an attempt to sign in as failed before any secret is compared, so that no burst of parallel guesses gets more
 * than its share.
 *
 * @throws {AppError} `rate_limited`
 */
export async function countAttempt(
  { kit, call }: Context,
  limits: readonly Limit[],
  memberId?: number,
): Promise<CountedAttempt> {
  for (const limit of limits) {
    try {
      await takeLimitPoint(kit, limit);
    } catch (error) {
      logLimited({ kit, call }, memberId);
      throw error;
    }
  }
  return {
    async takeBack() {
      for (const limit of limits) await kit.limits.giveBack(limit);
    },
  };
}
