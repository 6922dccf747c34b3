import { AppError } from '@gatehouse/auth-core';
import type { Limit, LimitStore } from './limit-store.js';

/**
 * Counts once, in the caller's transaction if there is one.
 * @throws {AppError} `rate_limited`, with the seconds until the window ends, if the limit is exceeded
 */
export async function enforceLimit(
  services: { readonly limits: Pick<LimitStore, 'consume'> },
  limit: Limit,
  tx?: Parameters<LimitStore['consume']>[1],
): Promise<void> {
  const refusal = await countPoint(services, limit, tx);
  if (refusal) throw refusal;
}

/** As `enforceLimit`, but answers the refusal, for a transaction that keeps what it counted. */
export async function countPoint(
  { limits }: { readonly limits: Pick<LimitStore, 'consume'> },
  limit: Limit,
  tx?: Parameters<LimitStore['consume']>[1],
): Promise<AppError | undefined> {
  const taken = await limits.consume(limit, tx);
  if (taken.isAllowed) return undefined;
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(taken.endsInMs / 1000)),
    policy: { name: limit.name ?? 'default', quota: limit.most, windowSeconds: limit.windowMs / 1000 },
  });
}
