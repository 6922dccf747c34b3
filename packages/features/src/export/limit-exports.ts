import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import type { Caller } from '../app/caller.js';
import type { Context } from '../app/context.js';

const HOUR_MS = 3_600_000;

/** The calls that were counted. A slow read is repeated within its call and counts as the same export. */
const counted = new WeakSet<object>();

/**
 * Counts the start of an export: one an hour for each member.
 * @throws {AppError} `rate_limited`
 */
export async function limitExports({
  services,
  call,
  caller,
}: Context & { readonly caller: Caller }): Promise<void> {
  if (counted.has(call)) return;
  const key = `export:${caller.memberId}`;
  await enforceLimit(services, { key, name: 'export', most: 1, windowMs: HOUR_MS });
  counted.add(call);
}
