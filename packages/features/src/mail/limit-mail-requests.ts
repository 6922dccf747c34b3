import type { Context } from '../core/context.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';

const HOUR_MS = 3_600_000;

/**
 * Counts an unauthenticated request for a mail against the caller's address.
 * @throws {AppError} `rate_limited`
 */
export async function limitMailRequests(ctx: Context): Promise<void> {
  const most = ctx.services.config.MAIL_REQUESTS_PER_ADDRESS;
  await limitPerAddress(ctx, { name: 'mail', most, windowMs: HOUR_MS });
}
