import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { networkOf } from '@gatehouse/runtime/network/network-of';
import type { Context } from './context.js';

/**
 * Counts a call against its address; an IPv6 address counts by its network.
 * @throws {AppError} `rate_limited`
 */
export async function limitPerAddress(
  { services, call }: Context,
  limit: { readonly name: string; readonly most: number; readonly windowMs: number },
): Promise<void> {
  await enforceLimit(services, { ...limit, key: `${limit.name}:address:${networkOf(call.address)}` });
}
