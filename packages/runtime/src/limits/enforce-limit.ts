import { AppError } from '@gatehouse/auth-core';
import type { Limit, LimitStore } from './limit-store.js';

/**
 * Counts once, in the caller's transaction if there is one.
 * @throws {AppError} `rate_limited`, with the seconds until the window ends, if the limit is exceeded
 */
export async function enforceLimit(
  { limits }: { readonly limits: Pick<LimitStore, 'consume'> },
  limit: Limit,
  tx?: Parameters<LimitStore['consume']>[1],
): Promise<void> {
  const taken = await limits.consume(limit, tx);
  if (taken.isAllowed) return;
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(taken.endsInMs / 1000)),
    policy: { name: limit.name ?? 'default', quota: limit.most, windowSeconds: limit.windowMs / 1000 },
  });
}
