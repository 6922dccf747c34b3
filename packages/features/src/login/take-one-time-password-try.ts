import { sha256Hex } from '@gatehouse/auth-core';
import { type OneTimePasswordName, takeOneTimePasswordAttempt } from '@gatehouse/db';
import type { Context } from '@gatehouse/features/app/context';
import { familiarBucket } from '@gatehouse/features/app/login-limits';
import { networkOf } from '@gatehouse/runtime/network/network-of';

const DAY_MS = 86_400_000;
const MOST_PER_CODE_AND_ADDRESS = 5;
const MOST_PER_CODE = 50;
const MOST_PER_DAY = 200;

/**
 * Counts one try of a one-time password, before it is compared and whether or not it is right: of any number at once
 * no more than the budgets allow are compared. A try that its address has no budget for does not use up the others',
 * and an address that signed in lately has a daily budget of its own, so that nobody can use up the owner's.
 *
 * @returns whether the password may be compared
 */
export async function takeOneTimePasswordTry(
  ctx: Context,
  holderId: number,
  newest: OneTimePasswordName,
): Promise<boolean> {
  const { kit, call } = ctx;
  const nowMs = kit.now();
  const origin = sha256Hex(networkOf(call.address)).slice(0, 32);
  const bucket = await familiarBucket(ctx, holderId);
  const take = async (key: string, most: number) =>
    (await kit.limits.take({ key: `one-time-password:${key}`, most, windowMs: DAY_MS })).isTaken;
  return (
    (await take(`${holderId}:${newest.id}.${newest.serial}:${origin}`, MOST_PER_CODE_AND_ADDRESS)) &&
    (await take(`${holderId}:day:${bucket}`, MOST_PER_DAY)) &&
    (await takeOneTimePasswordAttempt(kit.db, newest, { most: MOST_PER_CODE, nowMs }))
  );
}
