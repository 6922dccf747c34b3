import { sha256Hex } from '@gatehouse/auth-core';
import { consumeOneTimePasswordAttempt } from '@gatehouse/db';
import { networkOf } from '@gatehouse/runtime/network/network-of';
import type { Context } from '../../core/app/context.js';
import { familiarBucket } from '../../core/app/login-limits.js';

const DAY_MS = 86_400_000;
const MOST_PER_CODE_AND_ADDRESS = 5;
export const MOST_PER_CODE = 50;
const MOST_PER_DAY = 200;

/**
 * Counts a comparison with a one-time password before it is made, right or wrong, so concurrent attempts
 * cannot exceed the limits, and several passwords at once make none easier to guess. An attempt over the limit of its address does not count against the other limits.
 * A familiar address has its own daily limit, so that nobody can use up the owner's.
 * @returns whether the password may be compared
 */
export async function enforceOneTimePasswordLimit(
  ctx: Context,
  holderId: number,
  passwordId: number,
): Promise<boolean> {
  const { services, call } = ctx;
  const nowMs = services.now();
  const origin = sha256Hex(networkOf(call.address)).slice(0, 32);
  const bucket = await familiarBucket(ctx, holderId);
  const consume = async (key: string, most: number) =>
    (await services.limits.consume({ key: `one-time-password:${key}`, most, windowMs: DAY_MS })).isAllowed;
  return (
    (await consume(`${holderId}:${passwordId}:${origin}`, MOST_PER_CODE_AND_ADDRESS)) &&
    (await consume(`${holderId}:day:${bucket}`, MOST_PER_DAY)) &&
    (await consumeOneTimePasswordAttempt(services.db, passwordId, { most: MOST_PER_CODE, nowMs }))
  );
}
