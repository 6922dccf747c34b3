import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  endLoginFailures,
  findLoginFailures,
  recordLoginFailure,
  removeLoginFailure,
} from '@gatehouse/db/queries/login-failures';
import type { Context, Services } from '../context.js';
import { type CountedAttempt, countAttempt, logLimited, MAX_FAILURES_IN_A_ROW } from './count-attempt.js';
import { familiarBucket } from './login-limits.js';

const WINDOW_MS = 15 * 60_000;
const MAX_PER_MEMBER = 20;
const DAY_SECONDS = 86_400;
const KINDS = ['totp', 'backupCode', 'emailCode'] as const;

/** A code that is counted as wrong until proven otherwise. */
export interface CountedCode extends CountedAttempt {
  /** Counts one more comparison of the same wrong code, up to the limits. */
  countAnother(): Promise<void>;
  /** The code was right: resets the wrong ones in a row. A mailed code resets its own kind only. */
  succeed(): Promise<void>;
  /** The code was wrong. Returns whether the wrong ones in a row have just reached the lock of this kind. */
  fail(): Promise<{ isLocked: boolean }>;
}

/**
 * Counts a code as wrong before it is compared, so parallel guesses cannot exceed the limit: 20 of a member in a
 * quarter of an hour, familiar addresses apart, and 100 of a kind in a row. Passwords are counted elsewhere.
 * @throws {AppError} `rate_limited`
 */
export async function countFactorAttempt(
  ctx: Context,
  memberId: number,
  kind: (typeof KINDS)[number],
): Promise<CountedCode> {
  const { services } = ctx;
  const origin = await familiarBucket(ctx, memberId);
  const key = `second-step:${memberId}:${origin}`;
  const limit = { key, name: 'second-step', most: MAX_PER_MEMBER, windowMs: WINDOW_MS };
  const counter = { holder: `${kind}:${memberId}`, origin: '' };
  const count = async (): Promise<CountedAttempt> => {
    const counted = await countAttempt(ctx, [limit], { memberId });
    const rule = { most: MAX_FAILURES_IN_A_ROW, waits: [], nowMs: services.now() };
    if (await recordLoginFailure(services.db, counter, rule)) return counted;
    await counted.refund();
    logLimited(ctx, memberId);
    throw new AppError('rate_limited', {
      retryAfterSeconds: DAY_SECONDS,
      policy: { name: 'second-step-row', quota: MAX_FAILURES_IN_A_ROW, windowSeconds: DAY_SECONDS },
    });
  };
  const comparisons = [await count()];
  return {
    async countAnother() {
      try {
        comparisons.push(await count());
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
      }
    },
    async refund() {
      for (const counted of comparisons) {
        await counted.refund();
        await removeLoginFailure(services.db, counter);
      }
    },
    async succeed() {
      for (const counted of comparisons) await counted.refund();
      // Access to a mailbox must not give more guesses at an app.
      await endStepFailures(services.db, memberId, kind === 'emailCode' ? [kind] : KINDS);
    },
    async fail() {
      const { failures } = await findLoginFailures(services.db, counter);
      return { isLocked: failures >= MAX_FAILURES_IN_A_ROW };
    },
  };
}

/** Clears every wrong code of a member, which frees their second steps. Returns how many counters there were. */
export async function clearStepLimits(
  { limits }: Pick<Services, 'limits'>,
  tx: Database,
  memberId: number,
): Promise<number> {
  return (await limits.remove(`second-step:${memberId}:`, tx)) + (await endStepFailures(tx, memberId));
}

async function endStepFailures(
  db: Database,
  memberId: number,
  kinds: readonly (typeof KINDS)[number][] = KINDS,
): Promise<number> {
  let ended = 0;
  for (const kind of kinds) ended += await endLoginFailures(db, `${kind}:${memberId}`);
  return ended;
}
