import type { Context } from '../core/context.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';

const HOUR_MS = 3_600_000;

/**
 * Counts an attempt to register for its network address.
 * @throws {AppError} `rate_limited`
 */
export async function limitRegistrations(ctx: Context): Promise<void> {
  const { REGISTRATIONS_PER_ADDRESS: most } = ctx.services.config;
  await limitPerAddress(ctx, { name: 'registration', most, windowMs: HOUR_MS });
}
