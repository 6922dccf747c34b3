import { AppError, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  type FailureCounter,
  type FailureWait,
  findLoginFailures,
  recordLoginFailure,
} from '@gatehouse/db/queries/login-failures';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import { countPoint, enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import type { Context, Services } from '../context.js';

/** Logs a login refused by a limit. */
export function logLimited({ services, call }: Context, memberId: number | undefined): void {
  const { requestId, address } = call;
  services.log.security({ event: 'login.limited', requestId, address, memberId, reason: 'rate_limited' });
}

/** An attempt that is counted as failed until proven otherwise. */
export interface CountedAttempt {
  /** Removes the count: the secret was right, or never compared. */
  refund(): Promise<void>;
}

/** Another counter of an attempt, in addition to limits; an attempt is refused once it is used up. */
type CountFurther = (tx: Database) => Promise<AppError | undefined>;

/**
 * Counts an attempt to sign in as failed before any secret is compared, so parallel guesses cannot exceed the
 * limit.
 * @throws {AppError} `rate_limited`
 */
export async function countAttempt(
  { services, call }: Context,
  limits: readonly Limit[],
  { memberId, further }: { memberId?: number | undefined; further?: CountFurther } = {},
): Promise<CountedAttempt> {
  const refusal = await services.limits.together(services.db, async (tx) => {
    for (const limit of limits) {
      const exceeded = await countPoint(services, limit, tx);
      if (exceeded) return exceeded;
    }
    return further?.(tx);
  });
  if (refusal) {
    logLimited({ services, call }, memberId);
    throw refusal;
  }
  return { refund: () => services.limits.refund(limits) };
}

/**
 * Counts a call against its address; IPv6 addresses are counted by network.
 * @throws {AppError} `rate_limited`
 */
export async function limitPerAddress(
  { services, call }: Context,
  limit: { readonly name: string; readonly most: number; readonly windowMs: number },
): Promise<void> {
  await enforceLimit(services, { ...limit, key: `${limit.name}:address:${networkOf(call.address)}` });
}

/** This many wrong passwords in a row lock a member at every unfamiliar address (NIST SP 800-63B-4, 3.2.2). */
export const MAX_FAILURES_IN_A_ROW = 100;

/** The quarter-hour window, which is also the first pause. */
const FIRST_WAIT_MS = 15 * 60_000;
const WAITS_GROW_BY = 4;
const MAX_WAIT_MS = 86_400_000;

/** The prefix of the counters of members. */
export const MEMBER_HOLDERS = 'member:';

/** The prefix of the counters of unknown login names. */
export const UNKNOWN_HOLDERS = 'unknown:';

/** The counted holder: the member, or the login name without one. */
export function failureHolder(memberId: number | undefined, login: string): string {
  return memberId === undefined ? `${UNKNOWN_HOLDERS}${sha256Hex(login)}` : `${MEMBER_HOLDERS}${memberId}`;
}

/**
 * Counts a failure in a row before the password is compared. The first LOGIN_FAILURES_PER_MEMBER end with the
 * quarter-hour window. After each further group of that size there is a pause, four times as long as the last
 * one, at most a day. After 100 failures logins are refused.
 * @returns `rate_limited` during a pause or after the last one
 */
export async function recordFailureInARow(
  { services }: Context,
  counter: FailureCounter,
  tx: Database,
): Promise<AppError | undefined> {
  const perWait = services.config.LOGIN_FAILURES_PER_MEMBER;
  const nowMs = services.now();
  const waits = waitsAfter(perWait);
  if (await recordLoginFailure(tx, counter, { most: MAX_FAILURES_IN_A_ROW, waits, nowMs })) return undefined;
  const { failures, waitUntilMs } = await findLoginFailures(tx, counter);
  const isLocked = failures >= MAX_FAILURES_IN_A_ROW;
  const waitMs = isLocked ? MAX_WAIT_MS : waitUntilMs - nowMs;
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    policy: {
      name: 'login-row',
      quota: isLocked ? MAX_FAILURES_IN_A_ROW : perWait,
      windowSeconds: (isLocked ? MAX_WAIT_MS : waitOf(failures / perWait)) / 1000,
    },
  });
}

/** Whether the failures in a row have reached the lock. */
export async function isLockedOut({ db }: Pick<Services, 'db'>, counter: FailureCounter): Promise<boolean> {
  const { failures } = await findLoginFailures(db, counter);
  return failures >= MAX_FAILURES_IN_A_ROW;
}

function waitsAfter(perWait: number): FailureWait[] {
  return Array.from(
    { length: Math.max(0, Math.floor((MAX_FAILURES_IN_A_ROW - 1) / perWait) - 1) },
    (_, index) => ({
      failures: perWait * (index + 2),
      waitMs: waitOf(index + 2),
    }),
  );
}

function waitOf(times: number): number {
  return Math.min(FIRST_WAIT_MS * WAITS_GROW_BY ** (Math.max(1, Math.floor(times)) - 1), MAX_WAIT_MS);
}
