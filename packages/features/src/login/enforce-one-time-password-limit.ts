import { sha256Hex } from '@gatehouse/auth-core';
import { consumeOneTimePasswordAttempt, type OneTimePasswordName } from '@gatehouse/db';
import { networkOf } from '@gatehouse/runtime/network/network-of';
import type { Context } from '../app/context.js';
import { familiarBucket } from '../app/login-limits.js';

const DAY_MS = 86_400_000;
const MOST_PER_CODE_AND_ADDRESS = 5;
const MOST_PER_CODE = 50;
const MOST_PER_DAY = 200;

/**
 * Counts an attempt of a one-time password before it is compared, right or wrong, so concurrent attempts
 * cannot exceed the limits. An attempt over the limit of its address does not count against the other limits.
 * A familiar address has its own daily limit, so that nobody can use up the owner's.
 * @returns whether the password may be compared
 */
export async function enforceOneTimePasswordLimit(
  ctx: Context,
  holderId: number,
  newest: OneTimePasswordName,
): Promise<boolean> {
  const { services, call } = ctx;
  const nowMs = services.now();
  const origin = sha256Hex(networkOf(call.address)).slice(0, 32);
  const bucket = await familiarBucket(ctx, holderId);
  const consume = async (key: string, most: number) =>
    (await services.limits.consume({ key: `one-time-password:${key}`, most, windowMs: DAY_MS })).isAllowed;
  return (
    (await consume(`${holderId}:${newest.id}.${newest.serial}:${origin}`, MOST_PER_CODE_AND_ADDRESS)) &&
    (await consume(`${holderId}:day:${bucket}`, MOST_PER_DAY)) &&
    (await consumeOneTimePasswordAttempt(services.db, newest, { most: MOST_PER_CODE, nowMs }))
  );
}
