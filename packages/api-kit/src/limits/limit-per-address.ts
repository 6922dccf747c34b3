import type { Context } from '../context.js';
import { networkOf } from '../network-of.js';
import { takeLimitPoint } from './take-limit-point.js';

/**
 * Counts a call against the address it comes from, an IPv6 one by its network.
 * @throws {AppError} `rate_limited`
 */
export async function limitPerAddress(
  { kit, call }: Context,
  limit: { readonly name: string; readonly most: number; readonly windowMs: number },
): Promise<void> {
  await takeLimitPoint(kit, { ...limit, key: `${limit.name}:address:${networkOf(call.address)}` });
}
