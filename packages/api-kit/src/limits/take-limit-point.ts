import { AppError } from '@gatehouse/auth-core';
import { findLimitEnd, takePoint } from '@gatehouse/db';
import type { Kit } from '../kit.js';

/** So many times in a window, counted by all nodes together. */
export interface Limit {
  /** Names the counter, at most 255 characters. */
  readonly key: string;
  /** What the client is told the limit is called. */
  readonly name?: string;
  readonly most: number;
  readonly windowMs: number;
}

/**
 * Counts once.
 * @throws {AppError} `rate_limited`, with the seconds until the window ends, when that was once too often.
 */
export async function takeLimitPoint({ db, now }: Pick<Kit, 'db' | 'now'>, limit: Limit): Promise<void> {
  const nowMs = now();
  if (await takePoint(db, { ...limit, nowMs })) return;
  const endsAtMs = (await findLimitEnd(db, limit.key)) ?? nowMs + limit.windowMs;
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
    policy: { name: limit.name ?? 'default', quota: limit.most, windowSeconds: limit.windowMs / 1000 },
  });
}
