import { sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  endLoginFailures,
  findLoginFailures,
  isFamiliarOrigin,
  recordFamiliarOrigin,
  removeLoginFailure,
} from '@gatehouse/db/queries/login-failures';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import type { Context, Services } from '../context.js';
import {
  type CountedAttempt,
  countAttempt,
  failureHolder,
  isLockedOut,
  MAX_FAILURES_IN_A_ROW,
  MEMBER_HOLDERS,
  recordFailureInARow,
} from './count-attempt.js';

const WINDOW_MS = 15 * 60_000;

/** How long an address stays familiar after a sign-in. */
const FAMILIAR_MS = 30 * 86_400_000;

/** A login that is counted as failed until proven otherwise. */
export interface CountedLogin extends CountedAttempt {
  /**
   * Removes the count against the member and keeps that against the address, so that one address cannot continue without limit.
   */
  refundMember(): Promise<void>;
  /** The password was right: resets the failures in a row for every address. */
  succeed(): Promise<void>;
  /** The password was wrong. Returns whether the failures in a row have reached the lock. */
  fail(): Promise<{ isLocked: boolean }>;
}

/**
 * Counts a login as failed before its password is compared, so parallel guesses cannot exceed the limit. A
 * member's failures count together for every address and spelling, per quarter hour and in a row. An address
 * they signed in from in the last 30 days counts separately, so that nobody can lock the owner out there.
 * @param login the normalised login name, for members that do not exist
 * @throws {AppError} `rate_limited`
 */
export async function countLoginAttempt(
  ctx: Context,
  { memberId, login }: { memberId: number | undefined; login: string },
): Promise<CountedLogin> {
  const { services, call } = ctx;
  const network = networkOf(call.address);
  const origin = await familiarBucket(ctx, memberId);
  const perAddress: Limit = {
    key: `login:address:${network}`,
    name: 'login-address',
    most: services.config.LOGIN_FAILURES_PER_ADDRESS,
    windowMs: WINDOW_MS,
  };
  const perMember: Limit = {
    key: memberId === undefined ? `login:unknown:${sha256Hex(login)}` : `login:member:${memberId}:${origin}`,
    name: 'login',
    most: services.config.LOGIN_FAILURES_PER_MEMBER,
    windowMs: WINDOW_MS,
  };
  const counter = { holder: failureHolder(memberId, login), origin };
  const limits = [perAddress, perMember];
  await countAttempt(ctx, limits, {
    memberId,
    async further(tx) {
      const refusal = await recordFailureInARow(ctx, counter, tx);
      if (refusal) await services.limits.refund([perMember], tx);
      return refusal;
    },
  });
  const refund = (of: readonly Limit[]) =>
    services.limits.together(services.db, async (tx) => {
      await services.limits.refund(of, tx);
      await removeLoginFailure(tx, counter);
    });
  return {
    refund: () => refund(limits),
    refundMember: () => refund([perMember]),
    succeed: () =>
      services.limits.together(services.db, async (tx) => {
        await Promise.all([services.limits.refund(limits, tx), endLoginFailures(tx, counter.holder)]);
      }),
    fail: async () => ({ isLocked: await isLockedOut(services, counter) }),
  };
}

/**
 * The bucket of an address the member signed in from in the last 30 days; empty for other addresses. An
 * unknown member costs the same look-up.
 */
export async function familiarBucket(
  { services, call }: Context,
  memberId: number | undefined,
): Promise<string> {
  const originKey = originKeyOf(memberId ?? 0, networkOf(call.address));
  const origin = { memberId: memberId ?? 0, originKey, sinceMs: services.now() - FAMILIAR_MS };
  const isFamiliar = await isFamiliarOrigin(services.db, origin);
  return isFamiliar && memberId !== undefined ? originKey : '';
}

/** Records that a member signed in from this call's address, if no session begins. */
export async function rememberOrigin(ctx: Context, tx: Database, memberId: number): Promise<void> {
  const originKey = originKeyOf(memberId, networkOf(ctx.call.address));
  await recordFamiliarOrigin(tx, { memberId, originKey, nowMs: ctx.services.now() });
}

/** The key of a network that a member signed in from. */
export function originKeyOf(memberId: number, network: string): string {
  return sha256Hex(`${memberId} ${network}`);
}

/** What keeps a member from signing in at addresses they have not signed in from within 30 days. */
interface Lock {
  /** When they may try again; null if they may now, or only once they are unlocked. */
  readonly untilMs: number | null;
  /** Whether waiting is not enough: staff, or a new password, must unlock them. */
  readonly isLockedOut: boolean;
}

/** Whether a member has to wait before another attempt. */
export async function findLock(
  services: Pick<Services, 'db' | 'limits' | 'config' | 'now'>,
  memberId: number,
): Promise<Lock> {
  const counter = { holder: failureHolder(memberId, ''), origin: '' };
  const [failures, usedUpForMs] = await Promise.all([
    findLoginFailures(services.db, counter),
    findUsedUpFor(services, memberId),
  ]);
  return lockOf(failures, { usedUpForMs, now: services.now });
}

/** For how long the attempts of the current window are used up; 0 if they are not. */
export async function findUsedUpFor(
  { limits, config }: Pick<Services, 'limits' | 'config'>,
  memberId: number,
): Promise<number> {
  const window = { key: `login:member:${memberId}:`, most: config.LOGIN_FAILURES_PER_MEMBER };
  return (await limits.usedUpFor(window)) ?? 0;
}

/** The lock of a member with these failures in a row, and this used-up window. */
export function lockOf(
  { failures, waitUntilMs }: { readonly failures: number; readonly waitUntilMs: number },
  { usedUpForMs, now }: { readonly usedUpForMs: number } & Pick<Services, 'now'>,
): Lock {
  if (failures >= MAX_FAILURES_IN_A_ROW) return { untilMs: null, isLockedOut: true };
  const nowMs = now();
  const untilMs = Math.max(waitUntilMs, nowMs + usedUpForMs);
  return { untilMs: untilMs > nowMs ? untilMs : null, isLockedOut: false };
}

/**
 * Clears every failed attempt to sign in as a member, by password or one-time password. Returns how many
 * counters there were.
 */
export async function clearMemberLimits(
  { limits }: Pick<Services, 'limits'>,
  tx: Database,
  memberId: number,
): Promise<number> {
  const logins = await limits.remove(`login:member:${memberId}:`, tx);
  const inARow = await endLoginFailures(tx, `${MEMBER_HOLDERS}${memberId}`);
  return logins + inARow + (await limits.remove(`one-time-password:${memberId}:`, tx));
}
