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
  if (failures >= MOST_FAILURES_IN_A_ROW) return { untilMs: null, isLockedOut: true };
  const nowMs = now();
  const untilMs = Math.max(waitUntilMs, nowMs + usedUpForMs);
  return { untilMs: untilMs > nowMs ? untilMs : null, isLockedOut: false };
}
