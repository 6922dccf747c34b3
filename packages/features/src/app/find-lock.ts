import { findLoginFailures } from '@gatehouse/db';
import { failureHolder, MOST_FAILURES_IN_A_ROW } from './failures-in-a-row.js';
import type { Services } from './services.js';

/** What keeps somebody from trying to sign in at addresses they have not signed in from within 30 days. */
export interface Lock {
  /** When they may try again; null if they may now, or not at all until they are let. */
  readonly untilMs: number | null;
  /** Whether waiting is not enough: staff, or a new password, must let them. */
  readonly isLockedOut: boolean;
}

/** Whether a member has to wait before another attempt. */
export async function findLock(
  { db, limits, config, now }: Pick<Services, 'db' | 'limits' | 'config' | 'now'>,
  memberId: number,
): Promise<Lock> {
  const counter = { holder: failureHolder(memberId, ''), origin: '' };
  const window = { key: `login:member:${memberId}:`, most: config.LOGIN_FAILURES_PER_MEMBER };
  const [{ failures, waitUntilMs }, usedUpForMs = 0] = await Promise.all([
    findLoginFailures(db, counter),
    limits.usedUpFor(window),
  ]);
  if (failures >= MOST_FAILURES_IN_A_ROW) return { untilMs: null, isLockedOut: true };
  const nowMs = now();
  const untilMs = Math.max(waitUntilMs, nowMs + usedUpForMs);
  return { untilMs: untilMs > nowMs ? untilMs : null, isLockedOut: false };
}
