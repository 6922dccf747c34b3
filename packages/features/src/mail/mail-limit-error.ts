import { AppError } from '@gatehouse/auth-core';
import type { Services } from '../core/context.js';
import { type LimitedMail, limitsOf } from './limit-mails.js';

/** The refusal of a mail that staff asked for and that is above a bound: `rate_limited`, with the time until the next. */
export async function mailLimitError(
  { limits }: Pick<Services, 'limits'>,
  { name, ...mail }: LimitedMail & { name: string },
): Promise<AppError> {
  let longest = { leftMs: 0, quota: 0, windowSeconds: 0 };
  for (const { key, most, windowMs } of limitsOf(mail)) {
    const leftMs = (await limits.usedUpFor({ key, most })) ?? 0;
    if (leftMs >= longest.leftMs) longest = { leftMs, quota: most, windowSeconds: windowMs / 1000 };
  }
  const { leftMs, ...policy } = longest;
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    policy: { name, ...policy },
  });
}
