import { AppError, sha256Hex } from '@gatehouse/auth-core';
import {
  type Database,
  type FailureCounter,
  type FailureWait,
  findLoginFailures,
  recordLoginFailure,
} from '@gatehouse/db';
import type { Context } from './context.js';
import type { Services } from './services.js';

/** This many wrong passwords in a row lock a member at every unfamiliar address (NIST SP 800-63B-4, 3.2.2). */
export const MOST_FAILURES_IN_A_ROW = 100;

/** The quarter-hour window, which is also the first pause. */
const FIRST_WAIT_MS = 15 * 60_000;
const WAITS_GROW_BY = 4;
const LONGEST_WAIT_MS = 86_400_000;

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
  if (await recordLoginFailure(tx, counter, { most: MOST_FAILURES_IN_A_ROW, waits, nowMs })) return undefined;
  const { failures, waitUntilMs } = await findLoginFailures(tx, counter);
  const isLocked = failures >= MOST_FAILURES_IN_A_ROW;
  const waitMs = isLocked ? LONGEST_WAIT_MS : waitUntilMs - nowMs;
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    policy: {
      name: 'login-row',
      quota: isLocked ? MOST_FAILURES_IN_A_ROW : perWait,
      windowSeconds: (isLocked ? LONGEST_WAIT_MS : waitOf(failures / perWait)) / 1000,
    },
  });
}

/** Whether the failures in a row have reached the lock. */
export async function isLockedOut({ db }: Pick<Services, 'db'>, counter: FailureCounter): Promise<boolean> {
  const { failures } = await findLoginFailures(db, counter);
  return failures >= MOST_FAILURES_IN_A_ROW;
}

function waitsAfter(perWait: number): FailureWait[] {
  return Array.from(
    { length: Math.max(0, Math.floor((MOST_FAILURES_IN_A_ROW - 1) / perWait) - 1) },
    (_, index) => ({
      failures: perWait * (index + 2),
      waitMs: waitOf(index + 2),
    }),
  );
}

function waitOf(times: number): number {
  return Math.min(FIRST_WAIT_MS * WAITS_GROW_BY ** (Math.max(1, Math.floor(times)) - 1), LONGEST_WAIT_MS);
}
