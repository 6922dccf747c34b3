import type { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db';
import { countPoint } from '@gatehouse/runtime/limits/enforce-limit';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import type { Context } from './context.js';
import { logLimited } from './log-limited.js';

/** An attempt that counts as failed until proven otherwise. */
export interface CountedAttempt {
  /** Removes the count: the secret was right, or never compared. */
  refund(): Promise<void>;
}

/** What an attempt is counted under besides limits: a refusal, once that is used up. */
export type CountFurther = (tx: Database) => Promise<AppError | undefined>;

/**
 * Counts an attempt to sign in as failed before any secret is compared, so parallel guesses cannot exceed the
 * limit.
 * @throws {AppError} `rate_limited`
 */
export async function countAttempt(
  { services, call }: Context,
  limits: readonly Limit[],
  { memberId, further }: { memberId?: number | undefined; further?: CountFurther } = {},
): Promise<CountedAttempt> {
  const refusal = await services.limits.together(services.db, async (tx) => {
    for (const limit of limits) {
      const exceeded = await countPoint(services, limit, tx);
      if (exceeded) return exceeded;
    }
    return further?.(tx);
  });
  if (refusal) {
    logLimited({ services, call }, memberId);
    throw refusal;
  }
  return { refund: () => services.limits.refund(limits) };
}
